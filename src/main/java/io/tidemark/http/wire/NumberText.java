package io.tidemark.http.wire;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.node.JsonNodeType;
import com.fasterxml.jackson.databind.node.ValueNode;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/**
 * A JSON number that keeps its text. Jackson's own nodes hold the value of a number instead: they write {@code
 * 1.50e-7} with other digits and cannot represent {@code 1e9999999999}.
 */
final class NumberText extends ValueNode {
  private final String digits;

  NumberText(String digits) {
    this.digits = digits;
  }

  @Override
  public JsonNodeType getNodeType() {
    return JsonNodeType.NUMBER;
  }

  @Override
  public JsonToken asToken() {
    boolean isWhole = digits.chars().allMatch(each -> each == '-' || Character.isDigit(each));
    return isWhole ? JsonToken.VALUE_NUMBER_INT : JsonToken.VALUE_NUMBER_FLOAT;
  }

  @Override
  public String asText() {
    return digits;
  }

  @Override
  public void serialize(JsonGenerator out, SerializerProvider provider) throws IOException {
    out.writeNumber(digits);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof NumberText number && digits.equals(number.digits);
  }

  @Override
  public int hashCode() {
    return digits.hashCode();
  }
}
