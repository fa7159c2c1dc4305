package io.tidemark.http.server;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Validity;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Query;
import java.time.InstantSource;
import java.util.UUID;
import reactor.core.publisher.Mono;

/**
 * Puts queries to a market, and keeps each response for as long as the market would answer with the same body: a response
 * is never older than one that is made anew. Failures are not kept. Where memory is short, the least used go.
 */
public final class ReplyCache implements QueryResponder {
  /** What a response takes besides its body and its validity: the query, which is no longer than a request line. */
  private static final int BYTES_BESIDES = 8 << 10;

  /** What a validity takes for each part, with a key that nothing else holds any more. */
  private static final int BYTES_A_PART = 128;

  /** A response of more parts is not kept. */
  private static final int MOST_PARTS = 5_000;

  private static final long MOST_BYTES = 64 << 20;
  private static final int PARTS_OF_HEAP = 16;

  private final MarketData market;
  private final FieldNaming naming;
  private final InstantSource clock;
  private final Cache<Query<?>, KeptReply> replies;

  /** @param isOfNow whether nothing says when its content was true: then it is of the time of the request */
  private record KeptReply(HttpReply reply, boolean isOfNow, Validity validity) {
    int bytes() {
      return BYTES_BESIDES + reply.content().mostBytes() + BYTES_A_PART * validity.parts();
    }
  }

  /** @param most bytes that are kept at most */
  public ReplyCache(MarketData market, FieldNaming naming, InstantSource clock, long most) {
    this.market = market;
    this.naming = naming;
    this.clock = clock;
    this.replies = Caffeine.newBuilder()
        .maximumWeight(most)
        .weigher((Query<?> query, KeptReply kept) -> kept.bytes())
        .executor(Runnable::run)
        .build();
  }

  /** The bytes for each of so many caches of a process: together 64 MiB, and at most a sixteenth of the heap. */
  public static long mostBytes(int caches) {
    return Math.min(MOST_BYTES, Runtime.getRuntime().maxMemory() / PARTS_OF_HEAP) / caches;
  }

  /** The bytes of what is kept, at most: a body is counted with its compressed form. */
  public long bytes() {
    replies.cleanUp();
    return replies.policy().eviction().orElseThrow().weightedSize().orElse(0);
  }

  @Override
  public Mono<HttpReply> respond(Query<?> query) {
    var kept = replies.getIfPresent(query);
    if (kept != null) {
      if (kept.validity().getAsBoolean()) {
        return Mono.just(kept.isOfNow() ? kept.reply().asOf(clock.instant()) : kept.reply());
      }
      replies.asMap().remove(query, kept);
    }
    return replyTo(query)
        .onErrorResume(Failure.class, failure -> Mono.just(FailureReplies.of(query, failure, clock.instant())));
  }

  private <A> Mono<HttpReply> replyTo(Query<A> query) {
    return query.askOf(market).map(answer -> keep(query, answer));
  }

  private <A> HttpReply keep(Query<A> query, Answer<A> answer) {
    var reply = HttpReply.of(query, answer, naming, UUID.randomUUID().toString());
    var validity = answer.body().validity();
    if (validity.parts() <= MOST_PARTS && validity.getAsBoolean()) {
      replies.put(query, new KeptReply(reply, answer.asOf() == null, validity));
    }
    return reply;
  }
}
