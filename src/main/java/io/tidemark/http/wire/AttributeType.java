package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** How an attribute that is not an object is written in JSON. */
enum AttributeType {
  /** Text as sent; a number keeps its digits. */
  TEXT {
    @Override
    @Nullable
    Object read(JsonParser in) throws IOException {
      return in.hasToken(JsonToken.VALUE_STRING) || in.currentToken().isNumeric() ? StrictJson.string(in) : null;
    }

    @Override
    JsonValue write(Object value) {
      return JsonValue.string((String) value);
    }
  },

  /** Text, or the JSON text of any other value. */
  TEXT_OR_JSON {
    @Override
    Object read(JsonParser in) throws IOException {
      return in.hasToken(JsonToken.VALUE_STRING) ? StrictJson.string(in) : JsonValue.read(in).toString();
    }

    @Override
    JsonValue write(Object value) {
      return isOtherJson((String) value) ? new JsonValue.JsonText((String) value) : JsonValue.string((String) value);
    }
  },

  /** A double. */
  DOUBLE {
    @Override
    @Nullable
    Object read(JsonParser in) throws IOException {
      var digits = digits(in);
      double value = digits == null ? Double.NaN : Double.parseDouble(digits);
      return Double.isFinite(value) ? (Object) (value + 0.0) : null;
    }

    @Override
    JsonValue write(Object value) {
      return Double.isFinite((Double) value) ? new JsonValue.JsonText(value.toString()) : JsonValue.NULL;
    }
  },

  /** A long. */
  LONG {
    @Override
    @Nullable
    Object read(JsonParser in) throws IOException {
      var digits = digits(in);
      return digits == null ? null : whole(digits);
    }

    @Override
    JsonValue write(Object value) {
      return new JsonValue.JsonText(value.toString());
    }
  },

  /** True or false. */
  BOOLEAN {
    @Override
    @Nullable
    Object read(JsonParser in) throws IOException {
      return in.currentToken().isBoolean() ? (Object) in.getBooleanValue() : null;
    }

    @Override
    JsonValue write(Object value) {
      return new JsonValue.JsonText(value.toString());
    }
  };

  private static final Pattern DECIMAL = Pattern.compile("-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]+)?");
  private static final int MAX_LENGTH = 2_000;

  /** The value at the parser's position. Null where it is of another type; the parser then stays. */
  abstract @Nullable Object read(JsonParser in) throws IOException;

  abstract JsonValue write(Object value);

  /** The digits of a number, sent as a number or as a string. */
  private static @Nullable String digits(JsonParser in) throws IOException {
    if (in.currentToken().isNumeric()) {
      return in.getText();
    }
    if (!in.hasToken(JsonToken.VALUE_STRING)) {
      return null;
    }
    var text = in.getText();
    return text.length() <= MAX_LENGTH && DECIMAL.matcher(text).matches() ? text : null;
  }

  private static @Nullable Long whole(String digits) {
    try {
      return new BigDecimal(digits).longValueExact();
    } catch (ArithmeticException | NumberFormatException e) {
      return null;
    }
  }

  /** The text of a value; null where it is neither a string nor a number. */
  static @Nullable String text(JsonValue value) {
    try (JsonParser in = StrictJson.parser(value.toString())) {
      in.nextToken();
      return (String) TEXT.read(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static boolean isOtherJson(String text) {
    try (JsonParser in = StrictJson.parser(text)) {
      var token = in.nextToken();
      boolean isOther = token != null && token != JsonToken.VALUE_STRING && token != JsonToken.VALUE_NULL;
      in.skipChildren();
      return isOther && in.nextToken() == null;
    } catch (IOException e) {
      return false;
    }
  }
}
