package io.tidemark.cli.print;

import io.tidemark.cli.wiring.CommandFailure;
import io.tidemark.cli.wiring.FoundRecord;
import io.tidemark.event.DeadLetter;
import io.tidemark.http.client.StoredResponse;
import io.tidemark.market.Answer;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Objects;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;

/** A dead letter and its place, by which people name it: {@code partition:offset}. */
public record StoredDeadLetter(String position, DeadLetter content) {

  public static StoredDeadLetter of(FoundRecord found) {
    var record = found.record();
    return new StoredDeadLetter(record.partition() + ":" + record.offset(),
        (DeadLetter) Objects.requireNonNull(found.value()));
  }

  /** The body as it came; its beginning where it was cut. */
  public byte[] body() {
    return bytes(Integer.MAX_VALUE);
  }

  /** At most so many bytes of its beginning. */
  byte[] bytes(int most) {
    try (var in = open()) {
      return in.readNBytes(most);
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "dead letter " + position + ": its body is broken " + content.getEncoding()
              + ": " + e.getMessage());
    }
  }

  /** Why there is nothing to read again in it; null where there is. */
  public @Nullable String whyNotReplayable() {
    if (content.getStatus() == null) {
      return "no answer, but a record that Kafka would not take";
    }
    return content.getTruncated() ? "only the beginning of its body was kept" : null;
  }

  /** Its body as an answer; only where there is no obstacle. */
  public Answer<?> answer() {
    var status = Objects.requireNonNull(content.getStatus());
    return new StoredResponse(content.getTarget(), content.getPage(), body(), status, content.getHeaders(),
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
