package io.tidemark.cli;

import io.tidemark.event.DeadLetter;
import io.tidemark.http.KeptAnswer;
import io.tidemark.market.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A dead letter and its place, by which people name it: {@code partition:offset}. */
record Letter(String place, DeadLetter content) {

  static Letter of(Found found) {
    var record = found.record();
    return new Letter(record.partition() + ":" + record.offset(), (DeadLetter) Objects.requireNonNull(found.value()));
  }

  /** The body as it came; its beginning where it was cut. */
  byte[] body() {
    return bytes(Integer.MAX_VALUE);
  }

  /** At most so many bytes of its beginning. */
  byte[] bytes(int most) {
    try (var in = open()) {
      return in.readNBytes(most);
    } catch (IOException e) {
      throw new Failed(Failed.FOUND_WRONG, "dead letter " + place + ": its body is broken " + content.getEncoding()
          + ": " + e.getMessage());
    }
  }

  /** Why there is nothing to read again in it; null where there is. */
  @Nullable
  String obstacle() {
    if (content.getStatus() == null) {
      return "no answer, but a record that Kafka would not take";
    }
    return content.getCut() ? "only the beginning of its body was kept" : null;
  }

  /** Its body as an answer; only where there is no obstacle. */
  Answer<?> answer() {
    var status = Objects.requireNonNull(content.getStatus());
    return new KeptAnswer(content.getTarget(), content.getPage(), body(), status, content.getHeaders(),
        content.getSentAt(), content.getReceivedAt()).answer();
  }

  private InputStream open() throws IOException {
    var kept = content.getBody().duplicate();
    var bytes = new byte[kept.remaining()];
    kept.get(bytes);
    var in = new ByteArrayInputStream(bytes);
    return bytes.length > 0 && content.getEncoding().equals("gzip") ? new GZIPInputStream(in) : in;
  }
}
