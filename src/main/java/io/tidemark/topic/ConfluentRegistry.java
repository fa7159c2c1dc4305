package io.tidemark.topic;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.net.URI;
import java.net.http.HttpClient;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Schema;
import org.apache.avro.SchemaParseException;
import org.jspecify.annotations.Nullable;

/**
 * A registry with Confluent's REST interface, such as Confluent's own, Apicurio ({@code /apis/ccompat/v7}), Karapace or
 * Redpanda. Asks once for each schema and id, and blocks meanwhile.
 */
public final class ConfluentRegistry implements SchemaRegistry {

  public static final String IDENTITY = "external";

  private final RegistryClient client;
  private final Map<Registration, Integer> ids = new ConcurrentHashMap<>();
  private final Map<Integer, Schema> schemas = new ConcurrentHashMap<>();

  private record Registration(String subject, CanonicalSchema text) {}

  /**
   * @param url where the interface begins: what stands before {@code /subjects}
   * @param http with the TLS and proxy that reaching it takes
   */
  public ConfluentRegistry(URI url, @Nullable RegistryLogin login, HttpClient http) {
    this(new RegistryClient(url, login, http, RegistryClient.RETRY_PAUSES));
  }

  ConfluentRegistry(RegistryClient client) {
    this.client = client;
  }

  @Override
  public String identity() {
    return IDENTITY;
  }

  @Override
  public int id(String subject, Schema schema) {
    return ids.computeIfAbsent(new Registration(subject, CanonicalSchema.of(schema)), this::register);
  }

  @Override
  public Schema schema(int id) {
    return schemas.computeIfAbsent(id, this::fetch);
  }

  /** Of no use here: the ids are the registry's. */
  @Override
  public void addKnown(Schema schema) {}

  private int register(Registration wanted) {
    var body = JsonNodeFactory.instance.objectNode().put("schema", wanted.text().json());
    var answer = client.post("/subjects/" + wanted.subject() + "/versions", body);
    return required(answer, "id").asInt();
  }

  private Schema fetch(int id) {
    var text = required(client.get("/schemas/ids/" + id), "schema").asText();
    try {
      return new Schema.Parser().parse(text);
    } catch (SchemaParseException e) {
      throw new RegistryFailure.RejectedByRegistry(
          "%s: schema id %d is not Avro: %s".formatted(client, id, e.getMessage()));
    }
  }

  private JsonNode required(JsonNode answer, String member) {
    var value = answer.get(member);
    if (value == null) {
      throw new RegistryFailure.RejectedByRegistry(
          "%s: its answer has no '%s'; is this the address of a Confluent-compatible "
              .formatted(client, member) + "interface (registry.url)?");
    }
    return value;
  }
}
