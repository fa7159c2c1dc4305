package io.tidemark.capture.change;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.tidemark.capture.change.ValueLimits.CutValue;
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
 * Merges and cuts values of the facet {@code extra}, which holds the attributes that the interface document does not
 * describe. A value of the facet is the text of a JSON object. Objects are merged member by member, members are
 * sorted by name, and numbers keep all their digits.
 */
final class ExtraJson {
  /** JSON factory without limits, since the size of a body is already limited when the body is received. */
  private static final JsonFactory JSON = JsonFactory.builder()
      .streamReadConstraints(StreamReadConstraints.builder()
          .maxNumberLength(Integer.MAX_VALUE)
          .maxStringLength(Integer.MAX_VALUE)
          .build())
      .build();

  /** Name of the facet's attribute that holds the text of the JSON object. */
  private static final String JSON_TEXT = "json";

  /** JSON member that replaces the members that were left out of an object. */
  private static final String OTHERS_CUT = quoted(ValueLimits.MARK) + ":true";

  private ExtraJson() {}

  /**
   * Returns the value known after an observation, cut to its first members if it is longer than {@link
   * ValueLimits#EXTRA}. Known members that the observation lacks are kept.
   */
  static Extra merge(@Nullable Extra known, Extra observed) {
    var before = known == null ? null : known.getJson();
    var after = observed.getJson();
    if (after == null) {
      return new Extra(before);
    }
    var merged = text(before == null ? read(after) : merge(read(before), read(after)));
    return new Extra(merged.length() <= ValueLimits.EXTRA ? merged : firstMembers(merged));
  }

  /**
   * Cuts an observation to the limits. A text that is too long is cut. A list or number whose JSON is too long is
   * replaced by a text that contains the beginning of this JSON. If the whole object is still too long, its first
   * members by name are kept.
   *
   * @param cuts receives the values that were cut. It also receives one entry for the members that may be left out,
   *     now or when the observation is merged with the known value
   */
  static Extra cut(Extra observed, List<CutValue> cuts) {
    var json = observed.getJson();
    if (json == null) {
      return observed;
    }
    cuts.add(new CutValue(JSON_TEXT, json.length(), OTHERS_CUT));
    if (json.length() <= ValueLimits.TEXT) {
      return observed;
    }
    var parts = new ArrayList<CutValue>();
    var cut = text(cut(read(json), parts));
    cuts.addAll(parts);
    var isTooLong = cut.length() > ValueLimits.EXTRA;
    return parts.isEmpty() && !isTooLong ? observed : new Extra(isTooLong ? firstMembers(cut) : cut);
  }

  private static Object cut(Object value, List<CutValue> cuts) {
    if (value instanceof Map<?, ?> members) {
      var all = new TreeMap<Object, Object>();
      members.forEach((name, each) -> all.put(name, cut(each, cuts)));
      return all;
    }
    var text = (String) value;
    if (text.length() <= ValueLimits.TEXT) {
      return text;
    }
    var kept = text.startsWith("\"") ? quotedBeginning(text) : quoted(ValueLimits.cut(text, ValueLimits.TEXT / 2));
    cuts.add(new CutValue(JSON_TEXT, text.length(), kept));
    return kept;
  }

  /**
   * Cuts a JSON string to the limit and adds {@link ValueLimits#MARK} at its end. Does not cut within an escape
   * sequence.
   */
  private static String quotedBeginning(String json) {
    try (JsonParser in = JSON.createParser(json)) {
      in.nextToken();
      var text = in.getText();
      var length = text.length();
      String kept;
      do {
        length = Math.min(length, ValueLimits.TEXT) * 7 / 8;
        kept = quoted(ValueLimits.cut(text, length));
      } while (kept.length() > ValueLimits.TEXT);
      return kept;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String firstMembers(String json) {
    return text(firstMembers((Map<?, ?>) read(json), ValueLimits.EXTRA));
  }

  /**
   * Returns the members of an object, in the order of their names, up to the first one that does not fit into a
   * length. If this one is an object, as many of its first members as fit are kept too. The other members are
   * replaced by {@link ValueLimits#MARK}.
   */
  private static Map<Object, Object> firstMembers(Map<?, ?> members, int length) {
    var kept = new TreeMap<>();
    var room = length - OTHERS_CUT.length() - 2;
    for (var member : members.entrySet()) {
      var needed = quoted((String) member.getKey()).length() + 2;
      var text = text(member.getValue());
      if (needed + text.length() > room) {
        if (member.getValue() instanceof Map<?, ?> inner && room > needed + OTHERS_CUT.length() + 2) {
          kept.put(member.getKey(), firstMembers(inner, room - needed));
        }
        break;
      }
      kept.put(member.getKey(), member.getValue());
      room -= needed + text.length();
    }
    kept.put(ValueLimits.MARK, "true");
    return kept;
  }

  /** Merges two JSON values. An object is represented by a map of its members, and any other value by its JSON text. */
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
