package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.market.Observation;
import java.io.IOException;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * A resource object of an on-chain answer. Undocumented attributes lie in {@code extra} as they are named, undocumented
 * relationships under {@code relationships}, anything else under {@code resource}; attributes that bear one of these
 * names under {@code attributes}.
 *
 * @param type as resource objects name it
 */
record ResourceObjectCodec<R extends SpecificRecord>(String type, ResourceCodec<R> codec) {
  private static final String ATTRIBUTES = "attributes";
  private static final String RELATIONSHIPS = "relationships";
  private static final String RESOURCE = "resource";
  private static final Set<String> PLACES = Set.of(ATTRIBUTES, RELATIONSHIPS, RESOURCE);

  static <R extends SpecificRecord> ResourceObjectCodec<R> of(String type, Class<R> resource) {
    return new ResourceObjectCodec<>(type, ResourceCodec.onChain(resource));
  }

  /** @param network null where the question named none; the resource then says itself where it is */
  DecodedResource<R> read(JsonParser in, @Nullable String network) throws IOException {
    var sent = codec.read(in, (name, parser) -> skipType(name, parser));
    var found = new DecodedResource<>(sent.resource(), sent.nulls(), lifted(sent.extra()));
    identify(found, network);
    return found;
  }

  JsonObject write(Observation<R> seen, FieldNaming names) {
    var object = JsonObject.ordered().put("id", JsonValue.NULL).put("type", JsonValue.string(type));
    codec.attributes(seen, names).forEach(object::put);
    return object;
  }

  /** What nobody documented, where it is in a resource object. */
  JsonObject extra(Observation<R> seen) {
    var lowered = JsonObject.ordered();
    ResourceCodec.extra(seen).forEach((name, value) -> {
      if (name.equals(RESOURCE) && value instanceof JsonObject members) {
        lowered.fill(members);
      } else if (PLACES.contains(name)) {
        lowered.fill(JsonObject.at(value, name));
      } else {
        lowered.fill(JsonObject.at(value, ATTRIBUTES, name));
      }
    });
    return lowered;
  }

  private static boolean skipType(String name, JsonParser in) throws IOException {
    if (!name.equals("type")) {
      return false;
    }
    in.skipChildren();
    return true;
  }

  private static JsonObject lifted(JsonObject sent) {
    var lifted = JsonObject.sorted();
    sent.forEach((name, value) -> {
      if (name.equals(ATTRIBUTES) && value instanceof JsonObject attributes) {
        attributes.forEach((attribute, each) -> lift(lifted, attribute, each));
      } else if (name.equals(RELATIONSHIPS)) {
        lifted.put(name, value);
      } else {
        lifted.object(RESOURCE).put(name, value);
      }
    });
    return lifted;
  }

  private static void lift(JsonObject lifted, String attribute, JsonValue value) {
    boolean mistakable = PLACES.contains(attribute);
    lifted.fill(mistakable ? JsonObject.at(value, ATTRIBUTES, attribute) : JsonObject.at(value, attribute));
  }

  /** Fills in what can be told of id, network and address from the others. */
  private void identify(DecodedResource<R> found, @Nullable String asked) throws IOException {
    var id = found.identity("id");
    var address = found.identity("address");
    var network = asked == null ? network(found, id, address) : asked;
    if (id == null && address != null) {
      found.set("id", network + "_" + address);
    } else if (address == null && id != null && id.startsWith(network + "_")) {
      found.set("address", id.substring(network.length() + 1));
    } else if (id != null && address != null && !agree(id, address)) {
      found.extra().fill(JsonObject.at(JsonValue.string(address), "address"));
    }
    found.set("network", network).require("id").require("address");
  }

  /** The id is network, underscore, address; both sides may hold underscores of their own. */
  private String network(DecodedResource<R> found, @Nullable String id, @Nullable String address) throws IOException {
    if (found.extra().at(RELATIONSHIPS, "network", "data", "id") instanceof JsonValue.JsonText text) {
      return text.string();
    }
    if (id == null || address == null || id.length() < address.length() + 2 || !agree(id, address)) {
      throw new MalformedAnswerException(
          "a " + type + " whose network cannot be told (id " + id + ", address " + address + ")");
    }
    return id.substring(0, id.length() - address.length() - 1);
  }

  private static boolean agree(String id, String address) {
    var end = "_" + address;
    return id.regionMatches(true, id.length() - end.length(), end, 0, end.length());
  }
}
