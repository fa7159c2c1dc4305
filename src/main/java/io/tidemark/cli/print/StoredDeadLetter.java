package io.tidemark.cli.print;

import io.tidemark.app.CommandFailure;
import io.tidemark.event.AvroRecords;
import io.tidemark.event.DeadLetter;
import io.tidemark.kafka.CommittedRecord;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/** A dead letter and its position, {@code partition:offset}, which identifies it in commands. */
public record StoredDeadLetter(String position, DeadLetter content) {

  private static final int LONGEST_TARGET = 200;
  private static final int LONGEST_REASON = 500;
  private static final int LONGEST_BODY = 300;
  private static final int MAX_UTF8_BYTES = 4;

  public static StoredDeadLetter of(CommittedRecord record) {
    return new StoredDeadLetter(
        record.partition() + ":" + record.offset(), (DeadLetter) Objects.requireNonNull(record.value()));
  }

  /** Returns the unpacked body as it arrived, or its beginning if the stored body is truncated. */
  public byte[] body() {
    return body(Integer.MAX_VALUE);
  }

  private byte[] body(int most) {
    try (var in = open()) {
      return in.readNBytes(most);
    } catch (IOException e) {
      throw new CommandFailure(CommandFailure.PROBLEM_FOUND,
          "dead letter " + position + ": cannot unpack the body (encoding " + content.getEncoding() + "): "
              + e.getMessage());
    }
  }

  private InputStream open() throws IOException {
    var bytes = AvroRecords.bytes(content.getBody());
    var in = new ByteArrayInputStream(bytes);
    return bytes.length > 0 && content.getEncoding().equals("gzip") ? new GZIPInputStream(in) : in;
  }

  public String target() {
    return TerminalText.text(content.getTarget(), LONGEST_TARGET);
  }

  /**
   * Returns two lines. The first line has the request, or the role and the record that the role could not read, and the
   * reason. The second line has the status or, for a record, the category of the reason, then the length of the whole
   * body and the beginning of the body.
   */
  public String print() {
    var page = content.getRecord() == null ? " page " + content.getPage() : "";
    return "%s %s%s: %s%n         %s; %s".formatted(
        TerminalText.text(content.getOperation()), target(), page,
        TerminalText.text(content.getReason(), LONGEST_REASON), size(), bodyText());
  }

  private String size() {
    var record = content.getRecord();
    var status = record != null
        ? "a record, " + TerminalText.text(record.getReason())
        : content.getStatus() == null ? "no answer" : "status " + content.getStatus();
    return status + ", " + content.getLength() + " bytes" + (content.getTruncated() ? ", truncated" : "");
  }

  private String bodyText() {
    var bytes = body(LONGEST_BODY * MAX_UTF8_BYTES);
    return bytes.length == 0 ? "no body" : TerminalText.text(new String(bytes, StandardCharsets.UTF_8), LONGEST_BODY);
  }
}
