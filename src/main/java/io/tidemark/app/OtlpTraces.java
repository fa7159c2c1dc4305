package io.tidemark.app;

import com.google.common.util.concurrent.RateLimiter;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.exporter.otlp.http.trace.OtlpHttpSpanExporter;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.resources.Resource;
import io.opentelemetry.sdk.trace.IdGenerator;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.BatchSpanProcessor;
import io.opentelemetry.sdk.trace.export.SpanExporter;
import io.tidemark.app.config.TracingSettings;
import io.tidemark.event.SafeText;
import io.tidemark.kafka.TraceParent;
import io.tidemark.kafka.Traces;
import java.time.Instant;
import java.util.Collection;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.logging.Level;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The traces of this process, whose spans a thread of OpenTelemetry's sends to a collector in batches. If the collector
 * does not take them, spans are dropped, counted, and reported in the log now and then.
 */
final class OtlpTraces implements Traces, IdGenerator, AutoCloseable {

  /** Maximum number of spans that wait for the collector, or are being sent to it. */
  static final int MOST_WAITING = 2048;

  private static final Logger LOG = LoggerFactory.getLogger(OtlpTraces.class);

  /** OpenTelemetry's own logger, which writes to standard error. Its level would be lost with the last reference. */
  private static final java.util.logging.Logger OPEN_TELEMETRY = java.util.logging.Logger.getLogger("io.opentelemetry");

  private final TracingSettings settings;
  private final IntConsumer exported;
  private final IntConsumer dropped;
  private final RateLimiter warnings = RateLimiter.create(1.0 / 600);
  private final AtomicInteger waiting = new AtomicInteger();
  private final SdkTracerProvider provider;
  private final Tracer tracer;
  private TraceParent next = new TraceParent("", "", false);

  /**
   * @param exported accepts the number of spans that the collector took
   * @param dropped accepts the number of other spans
   */
  OtlpTraces(
      TracingSettings settings, String version, String instance, IntConsumer exported, IntConsumer dropped) {
    OPEN_TELEMETRY.setLevel(Level.OFF);
    this.settings = settings;
    this.exported = exported;
    this.dropped = dropped;
    var exporter = OtlpHttpSpanExporter.builder().setEndpoint(settings.endpoint().toString());
    settings.headers().forEach((name, value) -> exporter.addHeader(name, value.value()));
    this.provider = SdkTracerProvider.builder()
        .setIdGenerator(this)
        .setResource(Resource.getDefault().merge(Resource.create(Attributes.builder()
            .put("service.name", "tidemark")
            .put("service.version", version)
            .put("service.instance.id", instance)
            .build())))
        .addSpanProcessor(BatchSpanProcessor.builder(new CountingExporter(exporter.build()))
            .setMaxQueueSize(MOST_WAITING)
            .build())
        .build();
    this.tracer = provider.get("io.tidemark");
  }

  @Override
  public TraceParent poll(String source, String target, Instant observedAt) {
    return TraceParent.ofPoll(source, target, observedAt, settings.sample());
  }

  @Override
  public void ended(FinishedSpan span) {
    if (!span.span().sampled()) {
      return;
    }
    if (waiting.incrementAndGet() > MOST_WAITING) {
      completed(1, "more spans end than the collector takes");
    } else {
      started(span).end(span.end());
    }
  }

  /** Gives the span that is started the id that it already has in headers. */
  @Override
  public String generateTraceId() {
    return next.traceId();
  }

  @Override
  public String generateSpanId() {
    return next.spanId();
  }

  /** Sends the spans that still wait. Blocks for a bounded time. */
  @Override
  public void close() {
    provider.shutdown().join(2, TimeUnit.SECONDS);
  }

  private synchronized Span started(FinishedSpan finished) {
    next = finished.span();
    var builder = tracer.spanBuilder(finished.name())
        .setParent(context(finished.parent()))
        .setSpanKind(finished.request() ? SpanKind.CLIENT : SpanKind.INTERNAL)
        .setStartTimestamp(finished.start());
    finished.attributes().forEach((name, value) -> {
      if (value instanceof Long number) {
        builder.setAttribute(name, number);
      } else {
        builder.setAttribute(name, value.toString());
      }
    });
    var span = builder.startSpan();
    return finished.attributes().containsKey("error.type") ? span.setStatus(StatusCode.ERROR) : span;
  }

  private static Context context(@Nullable TraceParent parent) {
    return parent == null ? Context.root()
        : Context.root().with(Span.wrap(SpanContext.createFromRemoteParent(
            parent.traceId(), parent.spanId(), TraceFlags.getSampled(), TraceState.getDefault())));
  }

  /** @param problem why the spans are dropped; null if they are exported */
  private void completed(int spans, @Nullable String problem) {
    waiting.addAndGet(-spans);
    (problem == null ? exported : dropped).accept(spans);
    if (problem != null && warnings.tryAcquire()) {
      LOG.warn("spans of traces are dropped, and nothing else is affected; check tracing.endpoint {} and its headers."
          + " Further drops are counted in tidemark_trace_spans_total, and logged at most every 10 minutes. Cause: {}",
          settings.endpoint(), problem);
    }
  }

  private final class CountingExporter implements SpanExporter {

    private final SpanExporter exporter;

    CountingExporter(SpanExporter exporter) {
      this.exporter = exporter;
    }

    @Override
    public CompletableResultCode export(Collection<SpanData> spans) {
      var number = spans.size(); // the caller uses the collection again
      var result = exporter.export(spans);
      return result.whenComplete(() -> completed(number, result.isSuccess() ? null : problem(result)));
    }

    /** Describes a failed export. OpenTelemetry's failure has a cause unless the collector answered. */
    private static String problem(CompletableResultCode result) {
      var failure = result.getFailureThrowable();
      var cause = failure == null ? null : failure.getCause();
      return cause == null ? "the collector answered with an error; its log says why"
          : cause instanceof IllegalArgumentException ? "a header or the address is not valid" // the message may quote it
              : SafeText.singleLine(cause.toString(), 300);
    }

    @Override
    public CompletableResultCode flush() {
      return exporter.flush();
    }

    @Override
    public CompletableResultCode shutdown() {
      return exporter.shutdown();
    }
  }
}
