package io.tidemark.app.log;

import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.tidemark.event.SafeText;
import java.nio.charset.StandardCharsets;

/**
 * An encoder that writes each log event as one line of JSON: time, level, logger, thread, message and error. Logback's
 * own JSON encoder is not used, because it does not escape characters that change the direction of text in names that
 * strangers chose, and because it writes stack traces as trees.
 */
public final class JsonLogEncoder extends EncoderBase<ILoggingEvent> {

  private static final int LONGEST_TRACE = 16_000;
  private static final byte[] NOTHING = {};

  private final ThrowableProxyConverter trace = new ThrowableProxyConverter();

  @Override
  public void start() {
    trace.start();
    super.start();
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    var line = JsonNodeFactory.instance.objectNode()
        .put("time", event.getInstant().toString())
        .put("level", event.getLevel().toString())
        .put("logger", event.getLoggerName())
        .put("thread", event.getThreadName())
        .put("message", LogConfigurator.SingleLineConverter.of(event));
    if (event.getThrowableProxy() != null) {
      line.put("error", text(trace.convert(event)));
    }
    return (line + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] headerBytes() {
    return NOTHING;
  }

  @Override
  public byte[] footerBytes() {
    return NOTHING;
  }

  /** Escapes control characters but keeps line breaks, which JSON escapes. Cuts long lines and a long text. */
  private static String text(String lines) {
    var harmless = new StringBuilder();
    lines.lines().forEach(
        line -> harmless.append(SafeText.escaped(line, LogConfigurator.SingleLineConverter.LONGEST)).append('\n'));
    return harmless.length() > LONGEST_TRACE ? harmless.substring(0, LONGEST_TRACE) + "..." : harmless.toString();
  }
}
