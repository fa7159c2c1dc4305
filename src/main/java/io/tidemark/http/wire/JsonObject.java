package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** A JSON object that is put together, or taken apart, member by member. */
public final class JsonObject implements JsonValue {
  private final Map<String, JsonValue> members;

  private JsonObject(Map<String, JsonValue> members) {
    this.members = members;
  }

  /** Members in the order in which they are put in. */
  public static JsonObject ordered() {
    return new JsonObject(new LinkedHashMap<>());
  }

  static JsonObject sorted() {
    return new JsonObject(new TreeMap<>());
  }

  /**
   * The object that a text is, members sorted.
   *
   * @throws IllegalArgumentException where it is something else
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

  /** An object that has one value, at a path. */
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

  public JsonObject put(String name, JsonValue value) {
    members.put(name, value);
    return this;
  }

  /** Puts a value deeper; objects on the way are made. */
  void put(List<String> path, JsonValue value) {
    var object = this;
    for (var name : path.subList(0, path.size() - 1)) {
      object = object.object(name);
    }
    object.put(path.getLast(), value);
  }

  /** Takes a value out, and every object on the way that is empty then. */
  @Nullable
  JsonValue remove(String... path) {
    return remove(List.of(path));
  }

  /** Null where there is nothing. */
  @Nullable
  JsonValue at(String... path) {
    JsonValue value = this;
    for (var name : path) {
      value = value instanceof JsonObject object ? object.members.get(name) : null;
    }
    return value;
  }

  /** A member that is an object; made where it is not there. */
  public JsonObject object(String name) {
    if (members.computeIfAbsent(name, absent -> sorted()) instanceof JsonObject child) {
      return child;
    }
    throw new IllegalStateException("'" + name + "' is a value and an object at once");
  }

  /** Takes all members over, those of objects one by one. What is here already stays, unless it says nothing. */
  void fill(JsonObject more) {
    more.members.forEach((name, value) -> members.merge(name, value, JsonObject::filled));
  }

  @Override
  public String toString() {
    return members.entrySet().stream()
        .map(member -> JsonValue.string(member.getKey()) + ":" + member.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }

  private @Nullable JsonValue remove(List<String> path) {
    if (path.size() == 1) {
      return members.remove(path.getFirst());
    }
    if (!(members.get(path.getFirst()) instanceof JsonObject child)) {
      return null;
    }
    var taken = child.remove(path.subList(1, path.size()));
    if (taken != null && child.isEmpty()) {
      members.remove(path.getFirst());
    }
    return taken;
  }

  private static JsonValue filled(JsonValue here, JsonValue more) {
    if (here instanceof JsonObject object && more instanceof JsonObject members) {
      object.fill(members);
      return object;
    }
    return isNullOnly(here) ? more : here;
  }

  private static boolean isNullOnly(JsonValue value) {
    return value.equals(NULL)
        || (value instanceof JsonObject object && object.members.values().stream().allMatch(JsonObject::isNullOnly));
  }
}
