package io.tidemark.http.server;

import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpContent;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.netty.NettyPipeline;
import reactor.netty.http.server.HttpServer;

/**
 * Limits that one HTTP listener imposes on its clients. The times are deadlines: a client cannot extend them by
 * sending or reading a byte now and then. Reactor Netty's {@code idleTimeout} and {@code readTimeout} are not used,
 * because they begin anew with every byte.
 *
 * @param connections maximum number of open connections; a further connection is answered with 503 and closed
 * @param perAddress maximum number of open connections of one client address; a further connection is refused in the
 *     same way
 * @param receive time to receive the head of the first request, and the body of each request
 * @param respond time from the end of the last request or, if later, of the previous response until a whole response
 *     has been written to the connection; does not apply to an event stream or WebSocket, whose writer must handle
 *     slow readers
 * @param idle time between a response and the head of the next request
 */
public record ConnectionLimits(int connections, int perAddress, Duration receive, Duration respond, Duration idle) {

  private static final Logger LOG = LoggerFactory.getLogger(ConnectionLimits.class);

  private static final int LONGEST_REQUEST_LINE = 8 << 10;
  private static final int LARGEST_HEAD = 16 << 10;
  /**
   * Maximum size of a request body in bytes. The listener does not buffer bodies. A route that reads a body, such as
   * a schema, limits what it buffers.
   */
  private static final int LARGEST_BODY = 4 << 20;
  /** Maximum number of unanswered requests on one connection. */
  private static final int MAX_PIPELINED = 16;

  private static final long WARNING_INTERVAL = TimeUnit.MINUTES.toNanos(1);

  public ConnectionLimits {
    if (connections < 1) {
      throw new IllegalArgumentException("max-connections: must be at least 1, got " + connections);
    }
    if (perAddress < 1) {
      throw new IllegalArgumentException("max-connections-per-address: must be at least 1, got " + perAddress);
    }
  }

  /** Creates limits with the default times. */
  public static ConnectionLimits of(int connections, int perAddress) {
    return new ConnectionLimits(
        connections, perAddress, Duration.ofSeconds(10), Duration.ofSeconds(60), Duration.ofSeconds(60));
  }

  /**
   * Limits the connections of a server.
   *
   * @param name name of the listener, for the log
   */
  public HttpServer applyTo(HttpServer server, String name) {
    var open = new OpenConnections(name, connections, perAddress);
    return server
        .httpRequestDecoder(head -> head.maxInitialLineLength(LONGEST_REQUEST_LINE).maxHeaderSize(LARGEST_HEAD))
        .doOnChannelInit((observer, channel, remote) -> channel.pipeline()
            .addAfter(NettyPipeline.HttpCodec, "tidemark.limits",
                open.tryOpen(channel) ? new DeadlineEnforcer() : new ConnectionRefuser()));
  }

  private static void refuse(ChannelHandlerContext context, HttpResponseStatus status) {
    var response = new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, status, Unpooled.EMPTY_BUFFER);
    response.headers()
        .set(HttpHeaderNames.CONTENT_LENGTH, 0)
        .set(HttpHeaderNames.CONNECTION, "close");
    if (status.equals(HttpResponseStatus.SERVICE_UNAVAILABLE)) {
      response.headers().set(HttpHeaderNames.RETRY_AFTER, 10);
    }
    context.writeAndFlush(response).addListener(ChannelFutureListener.CLOSE);
  }

  private static final class OpenConnections {

    private final String name;
    private final int most;
    private final int mostOfAddress;
    private final AtomicInteger open = new AtomicInteger();
    private final Map<String, Integer> byAddress = new ConcurrentHashMap<>();
    private final AtomicLong nextWarning = new AtomicLong(System.nanoTime());

    OpenConnections(String name, int most, int mostOfAddress) {
      this.name = name;
      this.most = most;
      this.mostOfAddress = mostOfAddress;
    }

    boolean tryOpen(Channel channel) {
      var address = ClientAddress.of(channel.remoteAddress());
      var isAddressFull = byAddress.merge(address, 1, Integer::sum) > mostOfAddress;
      if (open.incrementAndGet() > most || isAddressFull) {
        leave(address);
        warn(isAddressFull
            ? address + " has reached max-connections-per-address (" + mostOfAddress + " open connections)"
            : "max-connections is reached (" + most + " open connections)");
        return false;
      }
      channel.closeFuture().addListener(closed -> leave(address));
      return true;
    }

    private void leave(String address) {
      open.decrementAndGet();
      byAddress.computeIfPresent(address, (any, count) -> count == 1 ? null : count - 1);
    }

    private void warn(String full) {
      var now = System.nanoTime();
      var next = nextWarning.get();
      if (now - next >= 0 && nextWarning.compareAndSet(next, now + WARNING_INTERVAL)) {
        LOG.warn("listener {}: {}; further connections are answered with 503", name, full);
      }
    }
  }

  /** A handler that immediately refuses a connection beyond the limit, without reading the request. */
  private static final class ConnectionRefuser extends ChannelDuplexHandler {

    @Override
    public void channelActive(ChannelHandlerContext context) {
      refuse(context, HttpResponseStatus.SERVICE_UNAVAILABLE);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      ReferenceCountUtil.release(message);
    }
  }

  /**
   * A handler that closes a connection whose client exceeds a time limit, the body size or the number of unanswered
   * requests.
   */
  @SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its connection
  private final class DeadlineEnforcer extends ChannelDuplexHandler {

    private int unanswered;
    private boolean receiving;
    private long bodyBytes;
    private boolean closing;
    private boolean streaming;
    private @Nullable Future<?> deadline;

    @Override
    public void channelActive(ChannelHandlerContext context) {
      receiveWithin(context);
      context.fireChannelActive();
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
      cancelDeadline();
      context.fireChannelInactive();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
      if (closing) {
        ReferenceCountUtil.release(message);
        return;
      }
      if (message instanceof HttpRequest) {
        unanswered++;
        receiving = true;
        bodyBytes = 0;
        receiveWithin(context);
      }
      if (message instanceof HttpContent content) {
        bodyBytes += content.content().readableBytes();
      }
      if (message instanceof LastHttpContent) {
        receiving = false;
        respondOrIdle(context);
      }
      if (bodyBytes > LARGEST_BODY || unanswered > MAX_PIPELINED) {
        ReferenceCountUtil.release(message);
        abort(context, bodyBytes > LARGEST_BODY
            ? HttpResponseStatus.REQUEST_ENTITY_TOO_LARGE : HttpResponseStatus.TOO_MANY_REQUESTS);
      } else {
        context.fireChannelRead(message);
      }
    }

    @Override
    public void write(ChannelHandlerContext context, Object message, ChannelPromise promise) {
      var isInterim =
          message instanceof HttpResponse response && response.status().codeClass() == HttpStatusClass.INFORMATIONAL;
      if (message instanceof HttpResponse response && isStream(response)) {
        streaming = true;
        cancelDeadline();
      }
      if (message instanceof LastHttpContent && !isInterim) {
        if (streaming) {
          streaming = false;
          within(context, receive, context::close);
        }
        context.write(message, promise.unvoid().addListener(written -> answered(context)));
      } else {
        context.write(message, promise);
      }
    }

    private static boolean isStream(HttpResponse response) {
      return response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)
          || response.headers().contains(HttpHeaderNames.CONTENT_TYPE, HttpHeaderValues.TEXT_EVENT_STREAM, true);
    }

    private void answered(ChannelHandlerContext context) {
      unanswered--;
      if (!receiving) {
        respondOrIdle(context);
      }
    }

    /**
     * Starts the time to respond if a request is unanswered, or the idle time otherwise. A request may be answered
     * before its last part is read.
     */
    private void respondOrIdle(ChannelHandlerContext context) {
      within(context, unanswered > 0 ? respond : idle, context::close);
    }

    private void abort(ChannelHandlerContext context, HttpResponseStatus status) {
      closing = true;
      cancelDeadline();
      refuse(context, status);
    }

    private void receiveWithin(ChannelHandlerContext context) {
      within(context, receive, () -> abort(context, HttpResponseStatus.REQUEST_TIMEOUT));
    }

    private void within(ChannelHandlerContext context, Duration limit, Runnable atEnd) {
      cancelDeadline();
      if (!closing && !streaming) {
        deadline = context.executor().schedule(atEnd, limit.toMillis(), TimeUnit.MILLISECONDS);
      }
    }

    private void cancelDeadline() {
      if (deadline != null) {
        deadline.cancel(false);
      }
    }
  }
}
