package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Token;
import io.tidemark.market.Seen;
import io.tidemark.market.TokenAnswer;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Tokens in on-chain answers, and the pools a token names. */
final class OnChainTokens {
  private static final OnChainResource<Token> TOKEN = OnChainResource.of("token", Token.class);
  private static final List<String> TOP_POOLS = List.of("relationships", "top_pools");

  private OnChainTokens() {}

  static Found<Token> read(JsonParser in, Asked asked) throws IOException {
    return TOKEN.read(in, asked.network());
  }

  static JsonObject write(Seen<Token> token, NameStyle names) {
    var object = TOKEN.write(token, names);
    object.fill(TOKEN.extra(token));
    return object;
  }

  static TokenAnswer readAnswer(JsonParser in, Asked asked) throws IOException {
    var found = read(in, asked);
    var topPools = topPools(found);
    return new TokenAnswer(found.seen(), topPools);
  }

  static JsonObject writeAnswer(TokenAnswer answer, NameStyle names) {
    var object = write(answer.token(), names);
    if (answer.topPools() != null) {
      var ids = answer.topPools().stream().map(OnChainTokens::poolReference).toList();
      object.put(TOP_POOLS, JsonObject.ordered().put("data", JsonValue.list(ids)));
    }
    return object;
  }

  /** Ids of the top pools; they stay undocumented, and null, where they are not what the document says. */
  private static @Nullable List<String> topPools(Found<Token> found) throws IOException {
    if (!(found.extra().at("relationships", "top_pools", "data") instanceof JsonValue.Text sent)
        || !sent.json().startsWith("[")) {
      return null;
    }
    var ids = new ArrayList<String>();
    try (JsonParser in = Json.parser(sent.json())) {
      in.nextToken();
      Json.elements(in, () -> ids.add(id(JsonValue.read(in))));
    }
    found.extra().take("relationships", "top_pools", "data");
    return List.copyOf(ids);
  }

  private static String id(JsonValue reference) throws IOException {
    if (reference instanceof JsonObject object && object.at("id") instanceof JsonValue.Text id) {
      return id.string();
    }
    throw new Malformed("a top pool without id");
  }

  private static JsonObject poolReference(String id) {
    return JsonObject.ordered().put("id", JsonValue.string(id)).put("type", JsonValue.string("pool"));
  }
}
