package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** A mutable JSON object. */
final class JsonObject implements JsonValue {
  private final Map<String, JsonValue> members;

  private JsonObject(Map<String, JsonValue> members) {
    this.members = members;
  }

  /** An empty object that keeps its members in the order of insertion. */
  static JsonObject ordered() {
    return new JsonObject(new LinkedHashMap<>());
  }

  /** An empty object that sorts its members by name. */
  static JsonObject sorted() {
    return new JsonObject(new TreeMap<>());
  }

  /**
   * The object of a JSON text, members sorted.
   *
   * @throws IllegalArgumentException if the text is no JSON object
   */
  static JsonObject parse(String text) {
    try (JsonParser in = StrictJson.parser(text)) {
      in.nextToken();
      StrictJson.expect(in, JsonToken.START_OBJECT);
      return (JsonObject) JsonValue.read(in);
    } catch (IOException e) {
      throw new IllegalArgumentException("no JSON object: " + text, e);
    }
  }

  /** An object with one value, at a path. */
  static JsonObject at(JsonValue value, String... path) {
    var object = sorted();
    object.put(List.of(path), value);
    return object;
  }

  boolean isEmpty() {
    return members.isEmpty();
  }

  int size() {
    return members.size();
  }

  void forEach(BiConsumer<String, JsonValue> member) {
    members.forEach(member);
  }

  JsonObject put(String name, JsonValue value) {
    members.put(name, value);
    return this;
  }

  /** Puts a value at a path, and creates missing objects on it. */
  void put(List<String> path, JsonValue value) {
    var object = this;
    for (var name : path.subList(0, path.size() - 1)) {
      object = object.object(name);
    }
    object.put(path.getLast(), value);
  }

  /** Removes the value at a path, and every object on the path that becomes empty. */
  @Nullable
  JsonValue remove(String... path) {
    return remove(List.of(path));
  }

  /** The value at a path; null where there is none. */
  @Nullable
  JsonValue at(String... path) {
    JsonValue value = this;
    for (var name : path) {
      value = value instanceof JsonObject object ? object.members.get(name) : null;
    }
    return value;
  }

  /** The object that a member is, created where it is missing. */
  JsonObject object(String name) {
    if (members.computeIfAbsent(name, absent -> sorted()) instanceof JsonObject child) {
      return child;
    }
    throw new IllegalStateException("'" + name + "' is both a value and an object");
  }

  /** Adds all members of another object, recursively. An existing value stays unless it is null or holds only nulls. */
  JsonObject fill(JsonObject other) {
    other.members.forEach((name, value) -> members.merge(name, value, JsonObject::filled));
    return this;
  }

  /** Replaces all members by those of another object. */
  void replace(JsonObject other) {
    members.clear();
    members.putAll(other.members);
  }

  @Override
  public void appendTo(StringBuilder json) {
    var separator = '{';
    for (var member : members.entrySet()) {
      json.append(separator).append(JsonValue.quoted(member.getKey())).append(':');
      member.getValue().appendTo(json);
      separator = ',';
    }
    json.append(members.isEmpty() ? "{}" : "}");
  }

  @Override
  public String toString() {
    var json = new StringBuilder();
    appendTo(json);
    return json.toString();
  }

  private @Nullable JsonValue remove(List<String> path) {
    if (path.size() == 1) {
      return members.remove(path.getFirst());
    }
    if (!(members.get(path.getFirst()) instanceof JsonObject child)) {
      return null;
    }
    var removed = child.remove(path.subList(1, path.size()));
    if (removed != null && child.isEmpty()) {
      members.remove(path.getFirst());
    }
    return removed;
  }

  private static JsonValue filled(JsonValue existing, JsonValue added) {
    if (existing instanceof JsonObject object && added instanceof JsonObject members) {
      object.fill(members);
      return object;
    }
    return isNullOnly(existing) ? added : existing;
  }

  private static boolean isNullOnly(JsonValue value) {
    return value.equals(JsonText.NULL)
        || (value instanceof JsonObject object && object.members.values().stream().allMatch(JsonObject::isNullOnly));
  }
}
