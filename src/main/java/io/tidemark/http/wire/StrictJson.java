package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.core.StreamReadConstraints;
import com.fasterxml.jackson.core.StreamReadFeature;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;

/** JSON, read strictly: UTF-8 and nothing else, no name twice, nothing after the end, everything bounded. */
final class StrictJson {
  private static final int DEPTH = 64;
  private static final int NUMBER = 2_000;
  private static final int STRING = 1 << 20;
  private static final int NAME = 1_000;

  private static final JsonFactory FACTORY = JsonFactory.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .streamReadConstraints(StreamReadConstraints.builder()
          .maxNestingDepth(DEPTH)
          .maxNumberLength(NUMBER)
          .maxStringLength(STRING)
          .maxNameLength(NAME)
          .build())
      .build();

  private StrictJson() {}

  static JsonParser parser(String text) throws IOException {
    return FACTORY.createParser(text);
  }

  /**
   * Reads a whole body.
   *
   * @throws MalformedAnswerException with what is wrong and where
   */
  static <T> T read(byte[] raw, ValueReader<T> reading) throws MalformedAnswerException {
    var text = text(raw);
    try (JsonParser in = FACTORY.createParser(text.array(), 0, text.limit())) {
      return whole(in, reading);
    } catch (MalformedAnswerException e) {
      throw e;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static <T> T whole(JsonParser in, ValueReader<T> reading) throws IOException {
    try {
      in.nextToken();
      T value = reading.read(in);
      if (in.nextToken() != null) {
        throw new MalformedAnswerException("something follows the end of the answer");
      }
      return value;
    } catch (JsonProcessingException e) {
      throw located(in, e.getOriginalMessage());
    } catch (MalformedAnswerException e) {
      throw located(in, String.valueOf(e.getMessage()));
    }
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
      throw new MalformedAnswerException("no UTF-8 (at byte " + in.position() + ")");
    }
    return out.flip();
  }

  /** The string, or the text of the number, that a parser stands on. */
  static String string(JsonParser in) throws IOException {
    return whole(in.getText());
  }

  /** Half a character cannot be written as UTF-8: it is the question mark here that it would become there. */
  private static String whole(String text) {
    return text.chars().anyMatch(each -> Character.isSurrogate((char) each))
        ? new String(text.getBytes(StandardCharsets.UTF_8), StandardCharsets.UTF_8)
        : text;
  }

  static void expect(JsonParser in, JsonToken token) throws IOException {
    if (!in.hasToken(token)) {
      throw new MalformedAnswerException((token == JsonToken.START_OBJECT ? "an object" : "an array") + " is due, not "
          + (in.currentToken() == null ? "the end" : in.currentToken()));
    }
  }

  /** Steps through the members of the object a parser stands on; each is read whole. */
  static void members(JsonParser in, MemberReader member) throws IOException {
    expect(in, JsonToken.START_OBJECT);
    for (var name = in.nextFieldName(); name != null; name = in.nextFieldName()) {
      in.nextToken();
      member.read(whole(name));
    }
  }

  /** Steps through the elements of the array a parser stands on; each is read whole. */
  static void elements(JsonParser in, ElementReader element) throws IOException {
    expect(in, JsonToken.START_ARRAY);
    while (in.nextToken() != JsonToken.END_ARRAY) {
      element.read();
    }
  }

  /** Reads the value a parser stands on, to its end. */
  interface ValueReader<T> {
    T read(JsonParser in) throws IOException;
  }

  /** Reads the value of one member. */
  interface MemberReader {
    void read(String name) throws IOException;
  }

  /** Reads one element. */
  interface ElementReader {
    void read() throws IOException;
  }
}
