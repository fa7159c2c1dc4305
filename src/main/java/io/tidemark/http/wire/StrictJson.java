package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.HashSet;

/** Reads JSON strictly: UTF-8 only, no duplicate names, nothing after the end, everything bounded. */
final class StrictJson {
  /** The high bit of each of eight bytes; none is set in ASCII. */
  private static final long NOT_ASCII = 0x8080808080808080L;

  private static final int MAX_DEPTH = 64;
  private static final int MAX_NUMBER_LENGTH = 2_000;
  private static final int MAX_STRING_LENGTH = 1 << 20;
  private static final int MAX_NAME_LENGTH = 1_000;

  /** Duplicate names are found by those who read members: the parser would keep all names of each object. */
  private static final JsonFactory FACTORY = JsonFactory.builder()
      .disable(JsonFactory.Feature.CHARSET_DETECTION)
      .streamReadConstraints(StreamReadConstraints.builder()
          .maxNestingDepth(MAX_DEPTH)
          .maxNumberLength(MAX_NUMBER_LENGTH)
          .maxStringLength(MAX_STRING_LENGTH)
          .maxNameLength(MAX_NAME_LENGTH)
          .build())
      .build();

  private StrictJson() {}

  static JsonParser parser(String text) throws IOException {
    return FACTORY.createParser(text);
  }

  /**
   * Reads a whole body.
   *
   * <p>Reading bytes takes half the time of reading text. What cannot be read so is read as text: the parser of bytes does
   * not take half a surrogate pair in a name, and knows the place of an error in bytes only.
   *
   * @throws MalformedAnswerException says what is wrong and where
   */
  static <T> T read(byte[] raw, ValueReader<T> reader) throws MalformedAnswerException {
    var text = isAscii(raw) ? null : text(raw); // the parser of bytes tolerates some that are no UTF-8
    try (JsonParser in = FACTORY.createParser(raw)) {
      return readWhole(in, reader);
    } catch (IOException e) {
      return read(text == null ? text(raw) : text, reader);
    }
  }

  private static <T> T read(CharBuffer text, ValueReader<T> reader) throws MalformedAnswerException {
    try (JsonParser in = FACTORY.createParser(text.array(), 0, text.limit())) {
      try {
        return readWhole(in, reader);
      } catch (JsonProcessingException e) {
        throw located(in, e.getOriginalMessage());
      } catch (MalformedAnswerException e) {
        throw located(in, String.valueOf(e.getMessage()));
      }
    } catch (MalformedAnswerException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T readWhole(JsonParser in, ValueReader<T> reader) throws IOException {
    in.nextToken();
    T value = reader.read(in);
    if (in.nextToken() != null) {
      throw new MalformedAnswerException("unexpected content after the end of the answer");
    }
    return value;
  }

  private static MalformedAnswerException located(JsonParser in, String what) {
    var at = in.currentLocation();
    var path = in.getParsingContext().pathAsPointer().toString();
    return new MalformedAnswerException(
        what + " (at " + (path.isEmpty() ? "/" : path) + ", character " + at.getCharOffset() + ")");
  }

  private static CharBuffer text(byte[] raw) throws MalformedAnswerException {
    var in = ByteBuffer.wrap(raw);
    var out = CharBuffer.allocate(raw.length);
    CoderResult result = StandardCharsets.UTF_8.newDecoder().decode(in, out, true);
    if (result.isError()) {
      throw new MalformedAnswerException("not UTF-8 (at byte " + in.position() + ")");
    }
    return out.flip();
  }

  private static boolean isAscii(byte[] raw) {
    var in = ByteBuffer.wrap(raw);
    var all = 0L;
    while (in.remaining() >= Long.BYTES) {
      all |= in.getLong();
    }
    while (in.hasRemaining()) {
      all |= in.get();
    }
    return (all & NOT_ASCII) == 0;
  }

  /** The string, or the text of the number, at the parser's position. */
  static String string(JsonParser in) throws IOException {
    return wellFormed(in.getText());
  }

  /** An unpaired surrogate becomes a question mark, as it does when it is encoded as UTF-8. */
  static String wellFormed(String text) {
    for (var each = 0; each < text.length(); each++) {
      if (Character.isSurrogate(text.charAt(each))) {
        return new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8);
      }
    }
    return text;
  }

  static void expect(JsonParser in, JsonToken token) throws IOException {
    if (!in.hasToken(token)) {
      throw new MalformedAnswerException("expected %s, found %s".formatted(
          token == JsonToken.START_OBJECT ? "an object" : "an array",
          in.currentToken() == null ? "the end" : in.currentToken()));
    }
  }

  /** Reads the members of the object at the parser's position, each to its end. */
  static void members(JsonParser in, MemberReader member) throws IOException {
    expect(in, JsonToken.START_OBJECT);
    var names = new HashSet<String>();
    for (var name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      if (!names.add(name)) {
        throw duplicate(name);
      }
      in.nextToken();
      member.read(wellFormed(name));
    }
  }

  static MalformedAnswerException duplicate(String name) {
    return new MalformedAnswerException("Duplicate field '" + name + "'");
  }

  /** Skips the value at the parser's position, without keeping any of it. */
  static void skip(JsonParser in) throws IOException {
    switch (in.currentToken()) {
      case START_OBJECT -> members(in, name -> skip(in));
      case START_ARRAY -> elements(in, () -> skip(in));
      default -> {}
    }
  }

  /** Reads the elements of the array at the parser's position, each to its end. */
  static void elements(JsonParser in, ElementReader element) throws IOException {
    expect(in, JsonToken.START_ARRAY);
    while (in.nextToken() != JsonToken.END_ARRAY) {
      element.read();
    }
  }

  /** Reads the value at the parser's position, to its end. */
  interface ValueReader<T> {
    T read(JsonParser in) throws IOException;
  }

  /** Reads the value of one member. */
  interface MemberReader {
    void read(String name) throws IOException;
  }

  /** Reads one element, or the value of a member whose name is known. */
  interface ElementReader {
    void read() throws IOException;
  }
}
