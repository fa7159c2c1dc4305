package io.tidemark.stream.aggregate;

import io.tidemark.event.ContractFigures;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** A figure of contracts, weighted by their volume in USD; contracts that lack one of the two are left out. */
record Weighted(List<Figure> figures) {

  record Figure(ContractFigures contract, double value, double weight) {}

  static Weighted of(List<ContractFigures> contracts, Function<ContractFigures, @Nullable Double> value) {
    return new Weighted(contracts.stream()
        .filter(contract -> value.apply(contract) != null && contract.getVolumeUsd() != null)
        .map(contract -> new Figure(contract, Decimal.orZero(value.apply(contract)), weight(contract)))
        .toList());
  }

  /** Null where nothing has a weight. */
  @Nullable
  Double mean() {
    var weight = figures.stream().mapToDouble(Figure::weight).sum();
    return weight > 0 ? figures.stream().mapToDouble(each -> each.value() * each.weight()).sum() / weight : null;
  }

  @Nullable
  Figure lowest() {
    return figures.stream().min(Comparator.comparingDouble(Figure::value)).orElse(null);
  }

  @Nullable
  Figure highest() {
    return figures.stream().max(Comparator.comparingDouble(Figure::value)).orElse(null);
  }

  private static double weight(ContractFigures contract) {
    return Math.max(0, Decimal.orZero(contract.getVolumeUsd()));
  }
}
