package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Token;
import io.tidemark.http.wire.ResourceCodec.DecodedResource;
import io.tidemark.market.Answer.TokenAnswer;
import io.tidemark.market.Observation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Resource objects of tokens, and the top pools in them. */
final class TokenObjectCodec {
  private static final ResourceCodec<Token> TOKEN = ResourceCodec.of(Token.class, true);
  private static final List<String> TOP_POOLS = List.of("relationships", "top_pools");

  private TokenObjectCodec() {}

  static DecodedResource<Token> read(JsonParser in, QueryScope scope) throws IOException {
    return complete(TOKEN.read(in), scope);
  }

  /** The token whose object the parser is in, behind its id and its type. */
  static DecodedResource<Token> readRemaining(String id, JsonParser in, QueryScope scope) throws IOException {
    return complete(TOKEN.readRemaining(id, in), scope);
  }

  private static DecodedResource<Token> complete(DecodedResource<Token> token, QueryScope scope) throws IOException {
    ResourceObjects.complete(token, scope.network());
    return token;
  }

  static JsonObject write(Observation<Token> token, FieldNaming naming) {
    return TOKEN.writeAttributes(token, naming).fill(ResourceObjects.nest(TOKEN.extra(token)));
  }

  static TokenAnswer readAnswer(JsonParser in, QueryScope scope) throws IOException {
    var decoded = read(in, scope);
    var topPools = topPools(decoded);
    return new TokenAnswer(decoded.toObservation(), topPools);
  }

  static JsonObject writeAnswer(TokenAnswer answer, FieldNaming naming) {
    var object = write(answer.token(), naming);
    if (answer.topPools() != null) {
      var ids = answer.topPools().stream().map(TokenObjectCodec::poolReference).toList();
      object.put(TOP_POOLS, JsonObject.ordered().put("data", JsonValue.list(ids)));
    }
    return object;
  }

  /** A reference to the schema of a token. */
  static ObjectNode schema(AnswerSchemas schemas) {
    return schemas.component("Token", () -> {
      var token = schemas.schema(TOKEN);
      var reference = AnswerSchemas.objectWith("id", AnswerSchemas.text());
      AnswerSchemas.addMember(reference, "type", AnswerSchemas.constant("pool"));
      var pools = AnswerSchemas.objectWith(AnswerSchemas.DATA, AnswerSchemas.list(reference));
      var relationships = AnswerSchemas.type("object");
      AnswerSchemas.addMember(relationships, "top_pools", pools);
      AnswerSchemas.addMember(token, "relationships", relationships);
      return token;
    });
  }

  /** Ids of the top pools. Where they have another shape than documented, they stay undocumented. */
  private static @Nullable List<String> topPools(DecodedResource<Token> decoded) throws IOException {
    if (!(decoded.extra().at("relationships", "top_pools", "data") instanceof JsonValue.JsonText sent)
        || !sent.isArray()) {
      return null;
    }
    var ids = new ArrayList<String>();
    for (var reference : sent.elements()) {
      ids.add(id(reference));
    }
    decoded.extra().remove("relationships", "top_pools", "data");
    return List.copyOf(ids);
  }

  private static String id(JsonValue reference) throws IOException {
    if (reference instanceof JsonObject object && object.at("id") instanceof JsonValue.JsonText id) {
      return id.string();
    }
    throw new MalformedAnswerException("a top pool without id");
  }

  private static JsonObject poolReference(String id) {
    return JsonObject.ordered().put("id", JsonValue.string(id)).put("type", JsonValue.string("pool"));
  }
}
