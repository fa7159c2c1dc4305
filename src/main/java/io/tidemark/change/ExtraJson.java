package io.tidemark.change;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.tidemark.event.Extra;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Merges the facet {@code extra}, what the interface does not document: the text of one JSON object whose members merge
 * by key. Numbers stay digit for digit, members are sorted.
 */
final class ExtraJson {
  /** Without limits of its own: a body is bounded where it is read. */
  private static final JsonFactory JSON = JsonFactory.builder()
      .streamReadConstraints(StreamReadConstraints.builder()
          .maxNumberLength(Integer.MAX_VALUE)
          .maxStringLength(Integer.MAX_VALUE)
          .build())
      .build();

  private ExtraJson() {}

  /** What is known after an observation: members that it lacks stay. */
  static Extra merge(@Nullable Extra known, Extra observed) {
    var before = known == null ? null : known.getJson();
    var after = observed.getJson();
    if (after == null) {
      return new Extra(before);
    }
    return new Extra(text(before == null ? read(after) : merge(read(before), read(after))));
  }

  /** Objects are maps here, anything else is its text. */
  private static Object merge(@Nullable Object known, Object observed) {
    if (!(known instanceof Map<?, ?> before) || !(observed instanceof Map<?, ?> after)) {
      return observed;
    }
    var all = new TreeMap<Object, Object>(before);
    after.forEach((name, value) -> all.put(name, merge(before.get(name), value)));
    return all;
  }

  private static String text(Object value) {
    return value instanceof Map<?, ?> members
        ? members.entrySet().stream()
            .map(member -> quoted((String) member.getKey()) + ":" + text(member.getValue()))
            .collect(Collectors.joining(",", "{", "}"))
        : (String) value;
  }

  private static Object read(String json) {
    try (JsonParser in = JSON.createParser(json)) {
      in.nextToken();
      return value(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static Object value(JsonParser in) throws IOException {
    return switch (in.currentToken()) {
      case START_OBJECT -> members(in);
      case START_ARRAY -> elements(in);
      case VALUE_STRING -> quoted(in.getText());
      default -> in.getText();
    };
  }

  private static Map<String, Object> members(JsonParser in) throws IOException {
    Map<String, Object> members = new TreeMap<>();
    for (String name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      members.put(name, value(in));
    }
    return members;
  }

  private static String elements(JsonParser in) throws IOException {
    List<String> elements = new ArrayList<>();
    while (in.nextToken() != JsonToken.END_ARRAY) {
      elements.add(text(value(in)));
    }
    return "[" + String.join(",", elements) + "]";
  }

  private static String quoted(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
