package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Platform;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answer of operation 13. A platform is known by its id, or by its name where that is empty or null. */
record PlatformsCodec(ResourceCodec<Platform> codec)
    implements AnswerCodec<Query.AssetPlatforms, List<Observation<Platform>>> {
  PlatformsCodec() {
    this(ResourceCodec.of(Platform.class));
  }

  @Override
  public List<Observation<Platform>> read(Query.AssetPlatforms query, JsonParser in) throws IOException {
    var platforms = new ArrayList<Observation<Platform>>();
    StrictJson.elements(in, () -> platforms.add(keyed(codec.read(in)).toObservation()));
    return platforms;
  }

  @Override
  public JsonValue write(Query.AssetPlatforms query, List<Observation<Platform>> answer, FieldNaming names) {
    return JsonValue.list(answer.stream().map(platform -> codec.write(platform, names)).toList());
  }

  private static DecodedResource<Platform> keyed(DecodedResource<Platform> found) throws MalformedAnswerException {
    var id = found.identity("id");
    var description = found.resource().getDescription();
    if (id == null && (description == null || description.getName() == null)) {
      throw new MalformedAnswerException("a platform without id and name");
    }
    return found.set("key", id == null ? "name:" + description.getName() : id);
  }
}
