package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Platform;
import io.tidemark.http.wire.ResourceCodec.DecodedResource;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answer of operation 13: platforms. The key of a platform is its id, or its name where the id is empty or null. */
final class PlatformsCodec implements AnswerCodec<Query.AssetPlatforms, List<Observation<Platform>>> {
  private final ResourceCodec<Platform> codec = ResourceCodec.of(Platform.class);

  @Override
  public List<Observation<Platform>> read(Query.AssetPlatforms query, JsonParser in) throws IOException {
    var platforms = new ArrayList<Observation<Platform>>();
    StrictJson.elements(in, () -> platforms.add(withKey(codec.read(in)).toObservation()));
    return platforms;
  }

  @Override
  public JsonValue write(Query.AssetPlatforms query, List<Observation<Platform>> answer, FieldNaming naming) {
    return JsonValue.list(answer.stream().map(platform -> codec.write(platform, naming)).toList());
  }

  @Override
  public ObjectNode schema(AnswerSchemas schemas) {
    return AnswerSchemas.list(schemas.resource(codec));
  }

  private static DecodedResource<Platform> withKey(DecodedResource<Platform> platform) throws MalformedAnswerException {
    var id = platform.identity("id");
    var description = platform.resource().getDescription();
    if (id == null && (description == null || description.getName() == null)) {
      throw new MalformedAnswerException("a platform without id and name");
    }
    return platform.set("key", id == null ? "name:" + description.getName() : id);
  }
}
