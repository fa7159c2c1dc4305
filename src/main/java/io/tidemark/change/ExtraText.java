package io.tidemark.change;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.tidemark.event.Extra;
import java.io.UncheckedIOException;
import org.apache.avro.generic.IndexedRecord;
import org.jspecify.annotations.Nullable;

/** The facet of what nobody documented: the text of one JSON object whose members merge by key. */
final class ExtraText {
  private static final ObjectMapper JSON =
      JsonMapper.builder()
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .disable(StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION)
          .build();

  private ExtraText() {}

  static boolean isExtra(IndexedRecord facet) {
    return facet instanceof Extra;
  }

  static IndexedRecord merged(@Nullable IndexedRecord known, IndexedRecord shown) {
    String before = known == null ? null : ((Extra) known).getJson();
    String after = ((Extra) shown).getJson();
    if (after == null) {
      return new Extra(before);
    }
    return new Extra((before == null ? read(after) : merge(read(before), read(after))).toString());
  }

  private static ObjectNode merge(ObjectNode known, ObjectNode shown) {
    shown.forEachEntry((name, value) -> known.set(name, merged(known.get(name), value)));
    return known;
  }

  private static JsonNode merged(@Nullable JsonNode known, JsonNode shown) {
    return known instanceof ObjectNode before && shown instanceof ObjectNode after ? merge(before, after) : shown;
  }

  private static ObjectNode read(String json) {
    try {
      return (ObjectNode) JSON.readTree(json);
    } catch (JsonProcessingException e) {
      throw new UncheckedIOException(e);
    }
  }
}
