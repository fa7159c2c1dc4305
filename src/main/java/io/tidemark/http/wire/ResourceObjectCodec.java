package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.market.Observation;
import java.io.IOException;
import java.util.Set;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Resource objects of on-chain answers. In {@code extra}, undocumented attributes have their own names, undocumented
 * relationships are in {@code relationships}, anything else is in {@code resource}; attributes with one of these names
 * are in {@code attributes}.
 *
 * @param type the member {@code type} of the objects
 */
record ResourceObjectCodec<R extends SpecificRecord>(String type, ResourceCodec<R> codec) {
  private static final String ATTRIBUTES = "attributes";
  private static final String RELATIONSHIPS = "relationships";
  private static final String RESOURCE = "resource";
  private static final Set<String> RESERVED = Set.of(ATTRIBUTES, RELATIONSHIPS, RESOURCE);

  static <R extends SpecificRecord> ResourceObjectCodec<R> of(String type, Class<R> resource) {
    return new ResourceObjectCodec<>(type, ResourceCodec.onChain(resource));
  }

  /** @param network null where the query names none; the resource then says its network itself */
  DecodedResource<R> read(JsonParser in, @Nullable String network) throws IOException {
    var sent = codec.read(in, "type", JsonParser::skipChildren);
    var decoded = new DecodedResource<>(sent.resource(), sent.nulls(), flatten(sent.extra()));
    identify(decoded, network);
    return decoded;
  }

  JsonObject write(Observation<R> observation, FieldNaming naming) {
    var object = JsonObject.ordered().put("id", JsonValue.NULL).put("type", JsonValue.string(type));
    codec.writeAttributes(observation, naming).forEach(object::put);
    return object;
  }

  /** The undocumented members, at their places in a resource object. */
  JsonObject extra(Observation<R> observation) {
    var nested = JsonObject.ordered();
    codec.extra(observation).forEach((name, value) -> {
      if (name.equals(RESOURCE) && value instanceof JsonObject members) {
        nested.fill(members);
      } else if (RESERVED.contains(name)) {
        nested.fill(JsonObject.at(value, name));
      } else {
        nested.fill(JsonObject.at(value, ATTRIBUTES, name));
      }
    });
    return nested;
  }

  private static JsonObject flatten(JsonObject sent) {
    var flat = JsonObject.sorted();
    sent.forEach((name, value) -> {
      if (name.equals(ATTRIBUTES) && value instanceof JsonObject attributes) {
        attributes.forEach((attribute, each) -> addAttribute(flat, attribute, each));
      } else if (name.equals(RELATIONSHIPS)) {
        flat.put(name, value);
      } else {
        flat.object(RESOURCE).put(name, value);
      }
    });
    return flat;
  }

  private static void addAttribute(JsonObject flat, String name, JsonValue value) {
    flat.fill(RESERVED.contains(name) ? JsonObject.at(value, ATTRIBUTES, name) : JsonObject.at(value, name));
  }

  /** Derives a missing id, network or address from the others. */
  private void identify(DecodedResource<R> decoded, @Nullable String known) throws IOException {
    var id = decoded.identity("id");
    var address = decoded.identity("address");
    var network = known == null ? network(decoded, id, address) : known;
    if (id == null && address != null) {
      decoded.set("id", network + "_" + address);
    } else if (address == null && id != null && id.startsWith(network + "_")) {
      decoded.set("address", id.substring(network.length() + 1));
    } else if (id != null && address != null && !agree(id, address)) {
      decoded.extra().fill(JsonObject.at(JsonValue.string(address), "address"));
    }
    decoded.set("network", network).require("id").require("address");
  }

  /** The id is network, underscore, address; network and address may contain underscores too. */
  private String network(DecodedResource<R> decoded, @Nullable String id, @Nullable String address) throws IOException {
    if (decoded.extra().at(RELATIONSHIPS, "network", "data", "id") instanceof JsonValue.JsonText text) {
      return text.string();
    }
    if (id == null || address == null || id.length() < address.length() + 2 || !agree(id, address)) {
      throw new MalformedAnswerException(
          "a " + type + " whose network is unknown (id " + id + ", address " + address + ")");
    }
    return id.substring(0, id.length() - address.length() - 1);
  }

  private static boolean agree(String id, String address) {
    var end = "_" + address;
    return id.regionMatches(true, id.length() - end.length(), end, 0, end.length());
  }
}
