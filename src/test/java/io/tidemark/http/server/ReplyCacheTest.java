package io.tidemark.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.tidemark.event.Global;
import io.tidemark.http.wire.FieldNaming;
import io.tidemark.market.Answer;
import io.tidemark.market.Answer.Validity;
import io.tidemark.market.Failure;
import io.tidemark.market.MarketData;
import io.tidemark.market.Observation;
import io.tidemark.market.Query;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;

class ReplyCacheTest {
  private static final Instant THEN = Instant.parse("2026-03-09T03:26:18Z");
  private static final Query<?> GLOBAL = new Query.GlobalMarket();
  private static final long ROOM = 1 << 20;

  private Instant now = THEN.plusSeconds(60);
  private int asked;
  private boolean isValid = true;
  private int parts;
  private @Nullable Instant asOf = THEN;
  private @Nullable Failure failure;

  @Test
  void reply_isGivenAgain_asLongAsItIsValid() {
    var cache = cache(ROOM);
    var first = cache.respond(GLOBAL).block();
    now = now.plusSeconds(1_000);

    assertThat(cache.respond(GLOBAL).block()).isSameAs(first);
    assertThat(asked).isEqualTo(1);
    assertThat(first.asOf()).isEqualTo(THEN);
    assertThat(first.maxAge()).isEqualTo(Duration.ofSeconds(7));

    isValid = false;
    assertThat(cache.respond(GLOBAL).block().content()).isNotSameAs(first.content());
    assertThat(asked).isEqualTo(2);
  }

  @Test
  void replyWithoutATime_isOfTheTimeOfItsRequest() {
    asOf = null;
    var cache = cache(ROOM);
    var first = cache.respond(GLOBAL).block();
    now = now.plusSeconds(5);

    var second = cache.respond(GLOBAL).block();

    assertThat(second.asOf()).isEqualTo(now);
    assertThat(second.content()).isSameAs(first.content());
  }

  @Test
  void failure_isNotKept() {
    var cache = cache(ROOM);
    failure = new Failure.NotFound("gone");
    assertThat(cache.respond(GLOBAL).block().status()).isEqualTo(404);
    failure = null;

    assertThat(cache.respond(GLOBAL).block().status()).isEqualTo(200);
  }

  @Test
  void bytesThatAreKept_areLimited() {
    var cache = cache(20_000);
    for (var number = 0; number < 100; number++) {
      cache.respond(new Query.SearchPools("query " + number, null, Set.of(), 1)).block();
      assertThat(cache.bytes()).isBetween(1L, 20_000L);
    }
  }

  @Test
  void whatTellsThatAReplyIsValid_isCounted() {
    var cache = cache(ROOM);
    cache.respond(GLOBAL).block();
    var before = cache.bytes();
    parts = 1_000;
    cache.respond(new Query.SearchPools("weth", null, Set.of(), 1)).block();

    assertThat(cache.bytes()).isGreaterThan(before + 100L * parts);
  }

  @Test
  void replyOfManyParts_isNotKept() {
    parts = 5_001;
    var cache = cache(ROOM);
    cache.respond(GLOBAL).block();
    cache.respond(GLOBAL).block();

    assertThat(asked).isEqualTo(2);
    assertThat(cache.bytes()).isZero();
  }

  @Test
  void invalidReply_isRemoved() {
    var cache = cache(ROOM);
    cache.respond(GLOBAL).block();
    isValid = false;
    cache.respond(GLOBAL).block();

    assertThat(cache.bytes()).isZero();
  }

  private ReplyCache cache(long most) {
    return new ReplyCache(market(), FieldNaming.DOCUMENT, () -> now, most);
  }

  private MarketData market() {
    return (MarketData) Proxy.newProxyInstance(ReplyCacheTest.class.getClassLoader(), new Class<?>[] {MarketData.class},
        (proxy, method, arguments) -> Mono.fromCallable(() -> answer((Query<?>) arguments[0])));
  }

  @SuppressWarnings("unchecked")
  private <A> Answer<A> answer(Query<A> query) {
    asked++;
    if (failure != null) {
      throw failure;
    }
    var value = query instanceof Query.GlobalMarket
        ? Observation.of(new Global())
        : new Answer.OnChainAnswer<>(List.of(), null);
    return new Answer<>(query, new KnownBody<>((A) value, new KnownValidity(parts)), "", now, now, asOf,
        Duration.ofSeconds(7),
        null);
  }

  private final class KnownValidity implements Validity {
    private final int parts;

    KnownValidity(int parts) {
      this.parts = parts;
    }

    @Override
    public boolean getAsBoolean() {
      return isValid;
    }

    @Override
    public int parts() {
      return parts;
    }
  }

  private record KnownBody<A>(A read, Validity validity) implements Answer.Body<A> {
    @Override
    public byte[] raw() {
      return new byte[0];
    }
  }
}
