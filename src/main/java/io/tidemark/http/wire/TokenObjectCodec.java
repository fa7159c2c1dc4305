package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Token;
import io.tidemark.market.Observation;
import io.tidemark.market.TokenAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tokens in on-chain answers, and the pools a token names. */
final class TokenObjectCodec {
  private static final ResourceObjectCodec<Token> TOKEN = ResourceObjectCodec.of("token", Token.class);
  private static final List<String> TOP_POOLS = List.of("relationships", "top_pools");

  private TokenObjectCodec() {}

  static DecodedResource<Token> read(JsonParser in, QueryScope asked) throws IOException {
    return TOKEN.read(in, asked.network());
  }

  static JsonObject write(Observation<Token> token, FieldNaming names) {
    var object = TOKEN.write(token, names);
    object.fill(TOKEN.extra(token));
    return object;
  }

  static TokenAnswer readAnswer(JsonParser in, QueryScope asked) throws IOException {
    var found = read(in, asked);
    var topPools = topPools(found);
    return new TokenAnswer(found.toObservation(), topPools);
  }

  static JsonObject writeAnswer(TokenAnswer answer, FieldNaming names) {
    var object = write(answer.token(), names);
    if (answer.topPools() != null) {
      var ids = answer.topPools().stream().map(TokenObjectCodec::poolReference).toList();
      object.put(TOP_POOLS, JsonObject.ordered().put("data", JsonValue.list(ids)));
    }
    return object;
  }

  /** Ids of the top pools; they stay undocumented, and null, where they are not what the document says. */
  private static @Nullable List<String> topPools(DecodedResource<Token> found) throws IOException {
    if (!(found.extra().at("relationships", "top_pools", "data") instanceof JsonValue.JsonText sent)
        || !sent.json().startsWith("[")) {
      return null;
    }
    var ids = new ArrayList<String>();
    try (JsonParser in = StrictJson.parser(sent.json())) {
      in.nextToken();
      StrictJson.elements(in, () -> ids.add(id(JsonValue.read(in))));
    }
    found.extra().remove("relationships", "top_pools", "data");
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
