package io.tidemark.stream.aggregate;

import static io.tidemark.event.DecimalMath.number;

import io.tidemark.event.ContractChange;
import io.tidemark.event.ContractFigure;
import io.tidemark.event.ContractFigures;
import io.tidemark.event.Derivatives;
import io.tidemark.event.IsoTime;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.apache.avro.specific.SpecificRecord;
import org.jspecify.annotations.Nullable;

/**
 * Derivatives of one coin across exchanges: open interest, funding and basis.
 *
 * <p>Only perpetual contracts have funding. For a dated contract, the service sends a rate of 0, which means no
 * funding.
 */
public final class DerivativesByCoin extends Aggregation<ContractFigures, Derivatives> {

  private static final String PERPETUAL = "perpetual";

  /** Texts with which the service says that a contract has no expiry. */
  private static final Set<String> NO_EXPIRY = Set.of("", "null", "false", "0");

  /** Smallest expiry time that is read as milliseconds since 1970. Smaller numbers are read as seconds. */
  private static final double FIRST_MILLIS = 1e11;

  private static final Pattern DAY = Pattern.compile("(\\d{4}-\\d{2}-\\d{2})");
  private static final Comparator<WeightedFigure> BY_VALUE =
      Comparator.comparingDouble(each -> each.figure().getValue());

  public DerivativesByCoin() {
    super("derivatives", ContractFigures.class, Derivatives.class, ContractChange.class);
  }

  @Override
  protected ContractFigures fold(@Nullable ContractFigures known, SpecificRecord record) {
    var change = (ContractChange) record;
    var contract = known == null ? ContractFigures.newBuilder().build() : known;
    contract.setExchange(change.getExchange());
    contract.setSymbol(change.getSymbol());
    contract.setCoin(
        change.getAbout().getCoinId() == null ? change.getAbout().getBase() : change.getAbout().getCoinId());
    contract.setVisible(isVisible(change.getVisibility(), contract.getVisible()));
    if (change.getDescription() != null && change.getDescription().getAfter() != null) {
      contract.setType(change.getDescription().getAfter().getContractType());
      contract.setExpiresAt(expiry(change.getDescription().getAfter().getExpiredAt()));
    }
    if (change.getOpenInterest() != null && change.getOpenInterest().getAfter() != null) {
      contract.setOpenInterestUsd(number(change.getOpenInterest().getAfter().getOpenInterestUsd()));
    }
    if (change.getFunding() != null && change.getFunding().getAfter() != null) {
      contract.setFundingRate(number(change.getFunding().getAfter().getFundingRate()));
    }
    if (change.getBasis() != null && change.getBasis().getAfter() != null) {
      contract.setBasisPercent(number(change.getBasis().getAfter().getIndexBasisPercentage()));
    }
    var converted = change.getConverted() == null ? null : change.getConverted().getAfter();
    if (converted != null && converted.getConvertedVolume() != null) {
      contract.setVolumeUsd(number(converted.getConvertedVolume().getUsd()));
    }
    return contract;
  }

  @Override
  protected List<String> groups(ContractFigures contract) {
    return contract.getCoin() == null ? List.of() : List.of(contract.getCoin());
  }

  @Override
  protected Summary<ContractFigures, Derivatives> summary(String coin, Instant at) {
    return Summary.ofAll(contracts -> aggregate(coin, contracts, at));
  }

  private static Derivatives aggregate(String coin, List<ContractFigures> known, Instant at) {
    var contracts = known.stream().filter(contract -> !hasExpired(contract, at)).toList();
    var visible = contracts.stream().filter(ContractFigures::getVisible).toList();
    var perpetuals = visible.stream().filter(DerivativesByCoin::isPerpetual).toList();
    var dated = visible.stream().filter(each -> each.getType() != null && !isPerpetual(each)).toList();
    var derivatives = Derivatives.newBuilder().build();
    derivatives.setCoin(coin);
    derivatives.setContracts(contracts.size());
    derivatives.setVisible(visible.size());
    derivatives.setPerpetuals(perpetuals.size());
    derivatives.setDated(dated.size());
    derivatives.setExpired(known.size() - contracts.size());
    derivatives.setExchanges((int) visible.stream().map(ContractFigures::getExchange).distinct().count());
    derivatives.setVolumeUsd(visible.stream().mapToDouble(each -> orZero(each.getVolumeUsd())).sum());
    var interest = visible.stream().map(ContractFigures::getOpenInterestUsd).filter(Objects::nonNull).toList();
    derivatives.setWithOpenInterest(interest.size());
    derivatives.setOpenInterestUsd(interest.stream().mapToDouble(each -> each).sum());
    var funding = VolumeWeighted.of(perpetuals, ContractFigures::getFundingRate);
    derivatives.setWithFunding(funding.figures().size());
    derivatives.setFundingRate(funding.mean());
    derivatives.setLowestFunding(funding.lowest());
    derivatives.setHighestFunding(funding.highest());
    var basis = VolumeWeighted.of(perpetuals, ContractFigures::getBasisPercent);
    derivatives.setWithBasis(basis.figures().size());
    derivatives.setBasisPercent(basis.mean());
    derivatives.setLowestBasis(basis.lowest());
    derivatives.setHighestBasis(basis.highest());
    var datedBasis = VolumeWeighted.of(dated, ContractFigures::getBasisPercent);
    derivatives.setWithDatedBasis(datedBasis.figures().size());
    derivatives.setDatedBasisPercent(datedBasis.mean());
    return derivatives;
  }

  /** A perpetual contract has a funding rate, and a basis without the cost of carry. */
  private static boolean isPerpetual(ContractFigures contract) {
    return PERPETUAL.equals(contract.getType());
  }

  private static boolean hasExpired(ContractFigures contract, Instant at) {
    return contract.getExpiresAt() != null && !contract.getExpiresAt().isAfter(at);
  }

  /**
   * Returns the time at which a contract expires, or null if it has no expiry. The service sends seconds or
   * milliseconds since 1970, or a date or a time with an offset as text. For any other text, returns 1970, so the
   * contract counts as expired.
   */
  private static @Nullable Instant expiry(@Nullable String sent) {
    if (sent == null || NO_EXPIRY.contains(sent)) {
      return null;
    }
    var number = number(sent);
    if (number != null) {
      return Instant.ofEpochMilli((long) (number < FIRST_MILLIS ? 1000 * number : number));
    }
    var day = DAY.matcher(sent);
    return Objects.requireNonNullElse(
        IsoTime.parse(day.matches() ? day.group(1) + "T00:00:00Z" : sent), Instant.EPOCH);
  }

  /**
   * One figure of several contracts, weighted by the volume of each contract in USD. Contracts without this figure or
   * without a volume are left out.
   */
  private record VolumeWeighted(List<WeightedFigure> figures) {

    static VolumeWeighted of(List<ContractFigures> contracts, Function<ContractFigures, @Nullable Double> value) {
      return new VolumeWeighted(contracts.stream()
          .filter(contract -> value.apply(contract) != null && contract.getVolumeUsd() != null)
          .map(contract -> new WeightedFigure(
              new ContractFigure(contract.getExchange(), contract.getSymbol(), orZero(value.apply(contract))),
              Math.max(0, orZero(contract.getVolumeUsd()))))
          .toList());
    }

    /** Returns the weighted mean, or null if the sum of weights is zero. */
    private @Nullable Double mean() {
      var weight = figures.stream().mapToDouble(WeightedFigure::weight).sum();
      return weight > 0 ? figures.stream().mapToDouble(each -> each.figure().getValue() * each.weight()).sum() / weight
          : null;
    }

    private @Nullable ContractFigure lowest() {
      return figures.stream().min(BY_VALUE).map(WeightedFigure::figure).orElse(null);
    }

    private @Nullable ContractFigure highest() {
      return figures.stream().max(BY_VALUE).map(WeightedFigure::figure).orElse(null);
    }
  }

  private record WeightedFigure(ContractFigure figure, double weight) {}
}
