package io.tidemark.app.log;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.pattern.ThrowableProxyConverter;
import ch.qos.logback.classic.spi.Configurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.IThrowableProxy;
import ch.qos.logback.classic.turbo.TurboFilter;
import ch.qos.logback.core.ConsoleAppender;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.joran.spi.ConsoleTarget;
import ch.qos.logback.core.spi.ContextAwareBase;
import ch.qos.logback.core.spi.FilterReply;
import ch.qos.logback.core.status.NopStatusListener;
import io.tidemark.event.SafeText;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.OutOfOrderSequenceException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/**
 * The configuration of the log, which is written to standard error because standard output is for the output of
 * commands. The configuration is code, because parsing an XML configuration takes a large part of the time of a short
 * command. A file named by the system property {@code logback.configurationFile} replaces this configuration.
 */
public final class LogConfigurator extends ContextAwareBase implements Configurator {

  private static final String CONFIGURATION_FILE = "logback.configurationFile";

  private static final List<String> ERRORS_ONLY = List.of(
      // Logs a warning at each start of the embedded broker, although all is well.
      "org.apache.kafka.controller.QuorumController",
      // Warn of normal events: internal topics that several clients request at once, stores on a temporary disk, a
      // transaction that begins while the markers of the previous one are written, end offsets of partitions that are
      // not being read.
      "kafka.server.DefaultAutoTopicCreationManager",
      "org.apache.kafka.streams.StreamsConfig",
      "org.apache.kafka.streams.processor.internals.StateDirectory",
      "org.apache.kafka.clients.producer.internals.Sender",
      "org.apache.kafka.clients.consumer.internals.OffsetFetcherUtils",
      "org.apache.kafka.clients.NetworkClient",
      // Warns of each standby replica that it does not assign (Tidemark assigns them, and a single instance needs
      // none), and that racks are not configured.
      "org.apache.kafka.streams.processor.assignment",
      // Warns of each record that the streams skip; Tidemark logs these records itself, at a bounded rate.
      "org.apache.kafka.streams.processor.internals.RecordDeserializer",
      // Warns if Reactor Netty counted something before the metric was read.
      "io.micrometer.core.instrument.composite.CompositeMeterRegistry",
      // Warn of clients that disconnect, and of each request that is not HTTP or is too long. Anybody can send such a
      // request, and the response states the problem.
      "reactor.netty.http.server.HttpServerOperations",
      "reactor.netty.channel.FluxReceive");

  /** A logger that writes whole addresses at debug level. The addresses of receivers are secrets. */
  private static final String HTTP_CLIENT = "reactor.netty.http.client";

  private final UnaryOperator<@Nullable String> environment;

  /** Creates a configurator that reads the environment of the process, for the service loader. */
  public LogConfigurator() {
    this(System::getenv);
  }

  LogConfigurator(UnaryOperator<@Nullable String> environment) {
    this.environment = environment;
  }

  @Override
  public ExecutionStatus configure(LoggerContext context) {
    if (System.getProperty(CONFIGURATION_FILE) != null) {
      return ExecutionStatus.INVOKE_NEXT_IF_ANY;
    }
    var settings = LogSettings.of(environment);
    context.getStatusManager().add(new NopStatusListener());
    var filter = new OutOfOrderBatchFilter();
    filter.setContext(context);
    filter.start();
    context.addTurboFilter(filter);
    ERRORS_ONLY.forEach(logger -> context.getLogger(logger).setLevel(Level.ERROR));
    context.getLogger(HTTP_CLIENT).setLevel(Level.INFO);
    context.getLogger("io.tidemark").setLevel(Level.toLevel(settings.ownLevel()));
    var root = context.getLogger("ROOT");
    root.setLevel(Level.toLevel(settings.libraryLevel()));
    root.addAppender(appender(context, settings));
    return ExecutionStatus.DO_NOT_INVOKE_NEXT_IF_ANY;
  }

  private static ConsoleAppender<ILoggingEvent> appender(LoggerContext context, LogSettings settings) {
    var encoder = switch (settings.format()) {
      case TEXT -> text(context, settings.stack());
      case JSON -> new JsonLogEncoder();
    };
    encoder.setContext(context);
    encoder.start();
    var appender = new ConsoleAppender<ILoggingEvent>();
    appender.setName(settings.format().name().toLowerCase(Locale.ROOT));
    appender.setContext(context);
    appender.setTarget(ConsoleTarget.SystemErr.getName());
    appender.setEncoder(encoder);
    appender.start();
    return appender;
  }

  private static Encoder<ILoggingEvent> text(LoggerContext context, String stack) {
    var layout = new PatternLayout();
    layout.getInstanceConverterMap().put("line", SingleLineConverter::new);
    layout.getInstanceConverterMap().put("trace", StackTraceConverter::new);
    layout.setContext(context);
    layout.setPattern("%d{HH:mm:ss.SSS} %-5level %logger{0}: %line%n%trace{" + stack + "}");
    layout.start();
    var encoder = new LayoutWrappingEncoder<ILoggingEvent>();
    encoder.setLayout(layout);
    return encoder;
  }

  /**
   * The converter for {@code %line} in the pattern. Prints the message on one line, with control characters escaped,
   * and cuts a message that is too long.
   */
  static final class SingleLineConverter extends ClassicConverter {

    /** Maximum number of characters of a message, and of a line of a stack trace, before they are escaped. */
    static final int LONGEST = 4_000;

    @Override
    public String convert(ILoggingEvent event) {
      return of(event);
    }

    static String of(ILoggingEvent event) {
      return SafeText.escaped(Objects.requireNonNullElse(event.getFormattedMessage(), ""), LONGEST);
    }
  }

  /**
   * The converter for {@code %trace} in the pattern. Prints the stack trace below the log line. The lines of the stack
   * trace are indented, so that none of them can be mistaken for a log line.
   */
  static final class StackTraceConverter extends ThrowableProxyConverter {

    private static final String INDENT = "    ";

    @Override
    protected @Nullable String throwableProxyToString(IThrowableProxy thrown) {
      return super.throwableProxyToString(thrown)
          .lines()
          .map(line -> INDENT + SafeText.escaped(line.replace("\t", "  "), SingleLineConverter.LONGEST)
              + System.lineSeparator())
          .collect(Collectors.joining());
    }
  }

  /**
   * A filter that drops what the embedded broker logs about batches that arrive out of order, as happens while a
   * transaction begins. The producer sends these batches again in order, and reports an error if it cannot send them.
   */
  static final class OutOfOrderBatchFilter extends TurboFilter {

    private static final String BROKER = "kafka.server.ReplicaManager";

    @Override
    public FilterReply decide(
        @Nullable Marker marker,
        Logger logger,
        Level level,
        @Nullable String format,
        Object @Nullable [] parameters,
        @Nullable Throwable thrown) {
      return thrown instanceof OutOfOrderSequenceException && logger.getName().equals(BROKER)
          ? FilterReply.DENY
          : FilterReply.NEUTRAL;
    }
  }
}
