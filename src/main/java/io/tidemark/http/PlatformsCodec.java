package io.tidemark.http;

import com.fasterxml.jackson.core.JsonParser;
import io.tidemark.event.Platform;
import io.tidemark.market.Query;
import io.tidemark.market.Seen;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;

/** Answer of operation 13. A platform is known by its id, or by its name where that is empty or null. */
record PlatformsCodec(Shape<Platform> shape) implements AnswerCodec<Query.AssetPlatforms, List<Seen<Platform>>> {
  PlatformsCodec() {
    this(Shape.of(Platform.class));
  }

  @Override
  public List<Seen<Platform>> read(Query.AssetPlatforms query, JsonParser in) throws IOException {
    var platforms = new ArrayList<Seen<Platform>>();
    Json.elements(in, () -> platforms.add(keyed(shape.read(in)).seen()));
    return platforms;
  }

  @Override
  public JsonValue write(Query.AssetPlatforms query, List<Seen<Platform>> answer, NameStyle names) {
    return JsonValue.list(answer.stream().map(platform -> shape.write(platform, names)).toList());
  }

  private static Found<Platform> keyed(Found<Platform> found) throws Malformed {
    var id = found.text("id");
    var description = found.resource().getDescription();
    if (id == null && (description == null || description.getName() == null)) {
      throw new Malformed("a platform without id and name");
    }
    return found.set("key", id == null ? "name:" + description.getName() : id);
  }
}
