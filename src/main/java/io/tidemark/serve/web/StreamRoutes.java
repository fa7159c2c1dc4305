package io.tidemark.serve.web;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PongWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.tidemark.serve.feed.Feed;
import io.tidemark.serve.feed.FeedEvent;
import io.tidemark.serve.feed.FeedParameter;
import io.tidemark.serve.feed.FeedRefusal;
import io.tidemark.serve.feed.FeedRequest;
import io.tidemark.serve.feed.Feeds;
import io.tidemark.serve.web.FeedRoutes.Outgoing;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.netty.FutureMono;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.http.server.HttpServerRoutes;
import reactor.netty.http.server.WebsocketServerSpec;
import reactor.netty.http.websocket.WebsocketInbound;

/**
 * The feeds over a WebSocket: {@code /v1/stream} and {@code /sources/{source}/v1/stream}. One connection carries
 * several subscriptions, each of which is a feed or a channel of the service's own WebSocket. Commands and messages
 * have the form of Action Cable, which the service's WebSocket has too. {@code asyncapi.yaml} describes them. The next
 * command of a client is read only after the client has been sent the answers to the previous one.
 *
 * @param feeds opens the feeds, and writes to all connections
 * @param pingInterval time between two pings
 */
public record StreamRoutes(FeedRoutes feeds, AccessControl access, InstantSource clock, Duration pingInterval)
    implements Consumer<HttpServerRoutes> {

  static final String PATH = "/v1/stream";

  /** The header with a key that clients of the service's own WebSocket send. */
  static final String KEY_HEADER = "x-cg-pro-api-key";

  private static final String PROTOCOL = "actioncable-v1-json";
  private static final int MOST_BYTES = 64 << 10;
  private static final int MOST_SUBSCRIPTIONS = 40;
  private static final int MOST_REFUSED_IN_A_ROW = 20;

  /** Half of the time after which clients of Action Cable take a connection for broken. */
  public static final Duration PING_INTERVAL = Duration.ofSeconds(3);

  /** The next ping, which ends the connection, comes after 30 seconds. */
  private static final int MOST_UNANSWERED_PINGS = 9;
  private static final JsonNodeFactory JSON = JsonNodeFactory.instance;
  private static final ObjectMapper MAPPER = new ObjectMapper();

  /** The channel {@code new-pools} is the topic of changes with this condition. */
  private static final String NEW_POOLS = "new-pools";

  private static final String IS_NEW = "appeared.kind == \"created\"";

  @Override
  public void accept(HttpServerRoutes routes) {
    routes.get(PATH, this::open).get("/sources/{source}" + PATH, this::open);
  }

  private Mono<Void> open(HttpServerRequest request, HttpServerResponse response) {
    if (!request.requestHeaders().containsValue(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET, true)) {
      response.header(HttpHeaderNames.UPGRADE, HttpHeaderValues.WEBSOCKET);
      return AccessControl.refuse(response, 426, "this path is a WebSocket");
    }
    if (access.isFromOtherPage(request)) {
      return AccessControl.refuse(response, 403, "only a page of this server may open this WebSocket");
    }
    var key = access.caller(request).key();
    var client = new Client(feeds.feedsOf(request), access.client(request), () -> access.count(request, key));
    var spec = WebsocketServerSpec.builder().maxFramePayloadLength(MOST_BYTES);
    var offered = request.requestHeaders().get(HttpHeaderNames.SEC_WEBSOCKET_PROTOCOL, "");
    // a server that sets a subprotocol refuses clients that offer none
    return response.sendWebsocket((in, out) -> client.serve(in),
        (offered.contains(PROTOCOL) ? spec.protocols(PROTOCOL) : spec).build());
  }

  private static ObjectNode coded(int code, @Nullable String message) {
    return JSON.objectNode().put("code", code).put("message", message);
  }

  /** The connection of a client. */
  private final class Client implements Outgoing {

    private final Feeds source;
    private final String name;
    private final Supplier<Duration> counter;
    private final Queue<String> answers = new ConcurrentLinkedQueue<>();
    private final Map<String, Subscription> subscriptions = new ConcurrentHashMap<>();
    private int refusedInARow;
    private int turn;
    private volatile long pingedAt = System.nanoTime();
    private final AtomicInteger unansweredPings = new AtomicInteger();
    private volatile @Nullable String end;
    private volatile boolean isClosed;
    private boolean isActionCable;

    /** @param counter counts a command, and returns the time to wait if there were too many */
    Client(Feeds source, String name, Supplier<Duration> counter) {
      this.source = source;
      this.name = name;
      this.counter = counter;
    }

    /** Reads commands and writes messages until the client goes away or is to be closed. */
    Mono<Void> serve(WebsocketInbound in) {
      var channel = new Channel[1];
      in.withConnection(connection -> channel[0] = connection.channel());
      var sid = channel[0].id().asLongText();
      isActionCable = in.selectedSubprotocol() != null;
      if (!isActionCable) {
        answers.add(coded(3000, "Connection established").put("uuid", sid).toString());
      }
      answers.add(JSON.objectNode().put("type", "welcome").put("sid", sid).toString());
      var commands = in.aggregateFrames().receiveFrames()
          .doOnNext(frame -> unansweredPings.set(0))
          .filter(frame -> !(frame instanceof PongWebSocketFrame))
          .map(frame -> frame instanceof TextWebSocketFrame text ? text.text() : "")
          .concatMap(text -> Mono.fromRunnable(() -> take(text)).subscribeOn(feeds.openers())
              .then(feeds.ticks().filter(tick -> answers.isEmpty()).next()), 1);
      var messages = feeds.send(channel[0], this)
          .then(Mono.defer(() -> closeWith(channel[0], WebSocketCloseStatus.POLICY_VIOLATION, String.valueOf(end))));
      var shutdown =
          feeds.ended().then(Mono.defer(() -> closeWith(channel[0], WebSocketCloseStatus.ENDPOINT_UNAVAILABLE,
              WebSocketCloseStatus.ENDPOINT_UNAVAILABLE.reasonText())));
      return Mono.firstWithSignal(commands.then(), messages, shutdown).doFinally(signal -> close());
    }

    /**
     * Sends a close frame with the reason, and then closes the connection. {@code WebsocketOutbound.sendClose} is not
     * used, because it first completes the stream of commands, which cancels sendClose before its frame is sent.
     */
    private static Mono<Void> closeWith(Channel channel, WebSocketCloseStatus status, String reason) {
      return FutureMono.deferFuture(
          () -> channel.writeAndFlush(new CloseWebSocketFrame(status, reason))
              .addListener(ChannelFutureListener.CLOSE));
    }

    private void close() {
      isClosed = true;
      subscriptions.values().forEach(each -> each.feed.close());
    }

    private void take(String text) {
      StreamCommand command = null;
      try {
        command = StreamCommand.parse(text);
        if (subscriptions.containsKey(command.identifier()) && command.verb() == StreamCommand.Verb.SUBSCRIBE) {
          return; // clients of Action Cable repeat the command until they have the answer
        }
        if (!counter.get().isZero()) {
          throw FeedRefusal.tooManyRequests("too many commands and requests a minute; try again later");
        }
        execute(command);
        refusedInARow = 0;
      } catch (FeedRefusal refusal) {
        refuse(command, refusal);
        refusedInARow++;
        if (refusedInARow == MOST_REFUSED_IN_A_ROW) {
          end = "too many refused commands";
        }
      }
    }

    private void refuse(@Nullable StreamCommand command, FeedRefusal refusal) {
      var isRejected = command != null && command.verb() == StreamCommand.Verb.SUBSCRIBE;
      var answer = coded(refusal.status(), refusal.getMessage())
          .put("type", isRejected ? "reject_subscription" : "error");
      if (command != null) {
        answer.put("identifier", command.identifier());
      }
      if (!refusal.retryAfter().isZero()) {
        answer.put("retry_after", refusal.retryAfter().toSeconds());
      }
      answers.add(answer.toString());
    }

    private void execute(StreamCommand command) {
      switch (command.verb()) {
        case SUBSCRIBE -> subscribe(command);
        case UNSUBSCRIBE -> {
          var ended = remove(find(command));
          answers.add(coded(2000, ended.channel == null ? "Unsubscription is successful" : ended.channel.removed())
              .put("identifier", command.identifier()).toString());
        }
        case MESSAGE -> {
          var channel = find(command).channel;
          if (channel == null) {
            throw FeedRefusal.badRequest("message: only the channels of the service take one; subscribe with other"
                + " parameters instead");
          }
          channel.change(command.data())
              .forEach(each -> answers.add(text(command.identifier(), coded(2000, each))));
        }
      }
    }

    private Subscription find(StreamCommand command) {
      var found = subscriptions.get(command.identifier());
      if (found == null) {
        throw FeedRefusal.notFound("identifier: there is no subscription with it");
      }
      return found;
    }

    @SuppressWarnings("FutureReturnValueIgnored") // the client is told of a failure
    private void subscribe(StreamCommand command) {
      if (subscriptions.size() == MOST_SUBSCRIPTIONS) {
        throw FeedRefusal.tooManyRequests("a connection has at most " + MOST_SUBSCRIPTIONS + " subscriptions");
      }
      var channel = ServicePriceChannel.of(command.channel());
      var of = command.source() == null ? source : feeds.feedsOf(command.source());
      var request = channel == null ? request(command) : channel.request();
      var made = new Subscription(command.identifier(), channel, of.open(request, name));
      subscriptions.put(command.identifier(), made);
      if (isClosed) {
        made.feed.close();
      }
      made.feed.begun().whenComplete((ready, failure) -> answer(command, made, failure));
    }

    private FeedRequest request(StreamCommand command) {
      var parameters = command.feedParameters();
      if (!command.channel().equals(NEW_POOLS)) {
        return FeedRequest.parse(command.channel(), parameters, null, clock);
      }
      var where = FeedParameter.WHERE.wire();
      parameters.putIfAbsent(where, List.of("true"));
      parameters.replaceAll((name, values) -> !name.startsWith(where) ? values
          : values.stream().map(each -> "(" + each + ") && " + IS_NEW).toList());
      return FeedRequest.parse("pool.changes", parameters, null, clock);
    }

    private void answer(StreamCommand command, Subscription made, @Nullable Throwable failure) {
      if (failure instanceof FeedRefusal refusal) {
        remove(made);
        refuse(command, refusal);
      } else if (failure == null) {
        answers.add(JSON.objectNode().put("type", "confirm_subscription").put("identifier", command.identifier())
            .toString());
        made.isConfirmed = true;
      }
    }

    private Subscription remove(Subscription ended) {
      subscriptions.remove(ended.identifier, ended);
      ended.feed.close();
      return ended;
    }

    /** Returns the text of a message of the service. Clients of Action Cable get it with the identifier. */
    private String text(String identifier, ObjectNode message) {
      return (!isActionCable ? message
          : JSON.objectNode().put("identifier", identifier).set("message", message)).toString();
    }

    private Stream<Subscription> confirmed() {
      return subscriptions.values().stream().filter(each -> each.isConfirmed);
    }

    private boolean isPingDue() {
      return System.nanoTime() - pingedAt >= pingInterval.toNanos();
    }

    @Override
    public boolean hasMore() {
      return !answers.isEmpty() || isPingDue() || confirmed().anyMatch(Subscription::hasMore);
    }

    @Override
    public boolean isEnded() {
      return end != null && answers.isEmpty();
    }

    @Override
    public void endTooSlow(String detail) {
      confirmed().forEach(each -> each.feed.endTooSlow(detail));
    }

    @Override
    @SuppressWarnings("FutureReturnValueIgnored") // a write that fails closes its connection
    public @Nullable ChannelFuture write(Channel channel, boolean heartbeat) {
      var texts = new ArrayList<String>();
      if (isPingDue()) {
        pingedAt = System.nanoTime();
        channel.write(new PingWebSocketFrame());
        texts.add(JSON.objectNode().put("type", "ping").put("message", clock.instant().getEpochSecond()).toString());
        if (unansweredPings.getAndIncrement() >= MOST_UNANSWERED_PINGS) {
          end = "no answer to pings";
        }
      }
      var all = new ArrayList<>(confirmed().toList()); // before the answers, one of which confirms each of them
      for (var next = answers.poll(); next != null; next = answers.poll()) {
        texts.add(next);
      }
      var length = 0;
      Collections.rotate(all, turn++);
      for (var each : all) {
        while (length < FeedRoutes.CHUNK_BYTES && subscriptions.containsValue(each) && each.hasMore()) {
          var event = each.next();
          length += event.stream().mapToInt(String::length).sum();
          texts.addAll(event);
        }
        if (each.feed.isEnded()) {
          remove(each);
        }
      }
      ChannelFuture last = null;
      for (var text : texts) {
        last = channel.write(new TextWebSocketFrame(text));
      }
      channel.flush();
      return last;
    }

    /** A subscription, whose feed is written after the client has been told that it has begun. */
    private final class Subscription {

      private final String identifier;
      private final @Nullable ServicePriceChannel channel;
      private final Feed feed;
      private volatile boolean isConfirmed;
      private long writtenAt = System.nanoTime();

      Subscription(String identifier, @Nullable ServicePriceChannel channel, Feed feed) {
        this.identifier = identifier;
        this.channel = channel;
        this.feed = feed;
      }

      boolean hasMore() {
        return feed.hasMore() || isSilent();
      }

      private boolean isSilent() {
        return System.nanoTime() - writtenAt >= FeedRoutes.HEARTBEAT_NANOS;
      }

      /** Takes the next event of the feed. Returns the messages that it becomes; none if there is no event. */
      List<String> next() {
        var event = feed.next(isSilent());
        writtenAt = System.nanoTime();
        if (event == null) {
          return List.of();
        }
        if (channel != null) {
          return messages(channel, event);
        }
        var kind = event.kind();
        var members = Stream.of(event.id() == null ? "" : "\"id\":\"" + event.id() + "\"", kind == null ? ""
            : "\"event\":\"" + kind.wire() + "\",\"data\":" + new String(event.data(), UTF_8))
            .filter(each -> !each.isEmpty());
        return List.of("{\"identifier\":" + TextNode.valueOf(identifier) + ",\"message\":"
            + members.collect(joining(",", "{", "}")) + "}");
      }

      /** Returns messages of the service, which has only those with values. The end of a feed becomes an error. */
      private List<String> messages(ServicePriceChannel of, Feed.Event event) {
        try {
          if (event.kind() == FeedEvent.RECORD) {
            return of.messages(MAPPER.readTree(event.data())).map(each -> text(identifier, each)).toList();
          }
          return event.kind() != FeedEvent.END ? List.of()
              : List.of(coded(503, MAPPER.readTree(event.data()).path("reason").asText()).put("type", "error")
                  .put("identifier", identifier).toString());
        } catch (IOException e) {
          throw new UncheckedIOException("an event of a feed is not JSON", e);
        }
      }
    }
  }
}
