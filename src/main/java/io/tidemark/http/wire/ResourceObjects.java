package io.tidemark.http.wire;

import io.tidemark.http.wire.JsonValue.JsonText;
import io.tidemark.http.wire.ResourceCodec.DecodedResource;
import java.io.IOException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What all resource objects of on-chain answers share: their identity and their undocumented members. In {@code extra},
 * undocumented attributes have their own names, undocumented relationships are in {@code relationships}, anything else is
 * in {@code resource}; attributes with one of these names are in {@code attributes}.
 */
final class ResourceObjects {
  private static final String ATTRIBUTES = "attributes";
  private static final String RELATIONSHIPS = "relationships";
  private static final String RESOURCE = "resource";
  private static final Set<String> RESERVED = Set.of(ATTRIBUTES, RELATIONSHIPS, RESOURCE);

  private ResourceObjects() {}

  /**
   * Moves undocumented members to their places in {@code extra}, and derives a missing id, network or address.
   *
   * @param network null where the query names none; the resource then says its network itself
   */
  static void complete(DecodedResource<?> decoded, @Nullable String network) throws IOException {
    var id = decoded.identity("id");
    var address = decoded.identity("address");
    var known = network == null ? network(decoded, id, address) : network;
    if (!decoded.extra().isEmpty()) {
      decoded.extra().replace(flatten(decoded.extra()));
    }
    if (id == null && address != null) {
      decoded.set("id", known + "_" + address);
    } else if (address == null && id != null && id.startsWith(known + "_")) {
      decoded.set("address", id.substring(known.length() + 1));
    } else if (id != null && address != null && !endsWith(id, address)) {
      decoded.extra().fill(JsonObject.at(JsonValue.string(address), "address"));
    }
    decoded.set("network", known).require("id").require("address");
  }

  /** The id is network, underscore, address; network and address may contain underscores too. */
  private static String network(DecodedResource<?> decoded, @Nullable String id, @Nullable String address)
      throws IOException {
    if (decoded.extra().at(RELATIONSHIPS, "network", "data", "id") instanceof JsonText text) {
      return text.string();
    }
    if (id == null || address == null || id.length() < address.length() + 2 || !endsWith(id, address)) {
      throw new MalformedAnswerException("a %s whose network is unknown (id %s, address %s)"
          .formatted(decoded.resource().getSchema().getName(), id, address));
    }
    return id.substring(0, id.length() - address.length() - 1);
  }

  private static boolean endsWith(String id, String address) {
    var end = "_" + address;
    return id.regionMatches(true, id.length() - end.length(), end, 0, end.length());
  }

  private static JsonObject flatten(JsonObject sent) {
    var flat = JsonObject.sorted();
    sent.forEach((name, value) -> {
      if (name.equals(ATTRIBUTES) && value instanceof JsonObject attributes) {
        attributes.forEach((attribute, each) -> flat.fill(
            RESERVED.contains(attribute) ? JsonObject.at(each, ATTRIBUTES, attribute)
                : JsonObject.at(each, attribute)));
      } else if (name.equals(RELATIONSHIPS)) {
        flat.put(name, value);
      } else {
        flat.object(RESOURCE).put(name, value);
      }
    });
    return flat;
  }

  /** Undocumented members at their places in a resource object: the reverse of what {@link #complete} does. */
  static JsonObject nest(JsonObject extra) {
    var nested = JsonObject.ordered();
    extra.forEach((name, value) -> {
      if (name.equals(RESOURCE) && value instanceof JsonObject members) {
        nested.fill(members);
      } else {
        nested.fill(RESERVED.contains(name) ? JsonObject.at(value, name) : JsonObject.at(value, ATTRIBUTES, name));
      }
    });
    return nested;
  }
}
