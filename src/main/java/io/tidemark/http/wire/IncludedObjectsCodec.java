package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Pool;
import io.tidemark.event.Token;
import io.tidemark.http.wire.JsonValue.JsonText;
import io.tidemark.http.wire.ResourceCodec.DecodedResource;
import io.tidemark.market.Answer.Dex;
import io.tidemark.market.Answer.Included;
import io.tidemark.market.Observation;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The array {@code included} of on-chain answers: related resources of several types. */
final class IncludedObjectsCodec {
  private final QueryScope scope;
  private final List<DecodedResource<Pool>> pools = new ArrayList<>();
  private final List<Observation<Token>> tokens = new ArrayList<>();
  private final List<Dex> dexes = new ArrayList<>();
  private final List<String> others = new ArrayList<>();
  private final Map<String, JsonValue> dexNames = new HashMap<>();

  /** @param scope an included pool may have the price of its token */
  IncludedObjectsCodec(QueryScope scope) {
    this.scope = scope;
  }

  void read(JsonParser in) throws IOException {
    StrictJson.elements(in, () -> readOne(in));
  }

  /** Reads a resource at once where its id and its type come first, as the service sends them. */
  private void readOne(JsonParser in) throws IOException {
    if (!in.hasToken(JsonToken.START_OBJECT)) {
      add(JsonValue.read(in));
      return;
    }
    in.nextToken();
    var id = readText("id", in);
    var type = id == null ? null : readText("type", in);
    if (id == null || type == null) {
      add(readRest(id, type, in));
      return;
    }
    switch (type) {
      case "pool" -> pools.add(OnChainAnswerCodec.readRemainingPool(id, in, scope));
      case "token" -> tokens.add(TokenObjectCodec.readRemaining(id, in, scope).toObservation());
      default -> add(readRest(id, type, in));
    }
  }

  /** Reads the member whose name the parser is at, if it has this name and is a text; null where it is another. */
  private static @Nullable String readText(String name, JsonParser in) throws IOException {
    if (!in.hasToken(JsonToken.FIELD_NAME) || !name.equals(in.currentName())) {
      return null;
    }
    if (in.nextToken() != JsonToken.VALUE_STRING) {
      return null;
    }
    var text = StrictJson.string(in);
    in.nextToken();
    return text;
  }

  /** Reads the rest of an object whose {@code id} and {@code type}, where they are not null, are read already. */
  private static JsonValue readRest(@Nullable String id, @Nullable String type, JsonParser in) throws IOException {
    var members = JsonObject.sorted();
    var names = new HashSet<String>();
    if (id != null) {
      names.add("id");
      members.put("id", JsonValue.string(id));
    }
    if (type != null) {
      names.add("type");
      members.put("type", JsonValue.string(type));
    }
    for (; !in.hasToken(JsonToken.END_OBJECT); in.nextToken()) {
      var name = in.currentName();
      if (in.hasToken(JsonToken.FIELD_NAME)) {
        in.nextToken();
      }
      if (!names.add(name)) {
        throw StrictJson.duplicate(name);
      }
      members.put(StrictJson.wellFormed(name), JsonValue.read(in));
    }
    return members;
  }

  /** Names of exchanges by id, as sent. */
  Map<String, JsonValue> dexNames() {
    return dexNames;
  }

  Included included() {
    return new Included(
        pools.stream().map(pool -> OnChainAnswerCodec.complete(pool, dexNames)).toList(), tokens, dexes, others);
  }

  static JsonValue write(Included included, QueryScope scope, FieldNaming naming) {
    var tokens = included.tokens().stream().map(token -> TokenObjectCodec.write(token, naming));
    var pools = included.pools().stream().map(pool -> OnChainAnswerCodec.writePool(pool, scope, naming));
    var dexes = included.dexes().stream().map(IncludedObjectsCodec::write);
    return JsonValue.list(Stream.of(tokens, pools, dexes).flatMap(each -> each).toList());
  }

  /** A token, a pool or an exchange. */
  static ObjectNode schema(AnswerSchemas schemas) {
    var any = JsonNodeFactory.instance.objectNode();
    any.putArray("anyOf")
        .add(TokenObjectCodec.schema(schemas))
        .add(OnChainAnswerCodec.poolSchema(schemas))
        .add(schemas.component("Dex", IncludedObjectsCodec::dexSchema));
    return AnswerSchemas.list(any);
  }

  private static ObjectNode dexSchema() {
    var attributes = AnswerSchemas.objectWith("name", AnswerSchemas.orNull(AnswerSchemas.text()));
    var dex = AnswerSchemas.objectWith("id", AnswerSchemas.text());
    AnswerSchemas.addMember(dex, "type", AnswerSchemas.constant("dex"));
    AnswerSchemas.addMember(dex, "attributes", attributes);
    dex.withArray("required").add("type").add("attributes");
    return dex;
  }

  /** Reads a resource twice: its type, which may come last, says how. */
  private void add(JsonValue item) throws IOException {
    var type = text(item, "type");
    try (JsonParser in = StrictJson.parser(item.toString())) {
      in.nextToken();
      switch (type == null ? "" : type) {
        case "pool" -> pools.add(OnChainAnswerCodec.readPool(in, scope));
        case "token" -> tokens.add(TokenObjectCodec.read(in, scope).toObservation());
        case "dex" -> dexes.add(dex(item));
        default -> others.add(String.valueOf(type));
      }
    }
  }

  private Dex dex(JsonValue item) throws IOException {
    var id = text(item, "id");
    if (id == null) {
      throw new MalformedAnswerException("an exchange without id");
    }
    var name = item instanceof JsonObject object ? object.at("attributes", "name") : null;
    if (name != null) {
      dexNames.putIfAbsent(id, name);
    }
    return new Dex(id, name == null ? null : name.text());
  }

  private static @Nullable String text(JsonValue item, String... path) throws IOException {
    return item instanceof JsonObject object && object.at(path) instanceof JsonValue.JsonText text
        && !text.equals(JsonText.NULL) ? text.string() : null;
  }

  private static JsonObject write(Dex dex) {
    var name = dex.name() == null ? JsonText.NULL : JsonValue.string(dex.name());
    return JsonObject.ordered()
        .put("id", JsonValue.string(dex.id()))
        .put("type", JsonValue.string("dex"))
        .put("attributes", JsonObject.ordered().put("name", name));
  }
}
