package io.elastune.provisioner.gcp.model;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The quotas on GPUs of a family and region that Cloud Quotas reports as {@value #QUOTA_ID}. Only
 * H100 and newer families have one; the others have a metric of Compute Engine. The current usage
 * is not part of them.
 *
 * @param rows the limits, in any order
 */
public record GpuFamilyQuotas(List<Row> rows) {
  /** Google's ID of the quota. */
  public static final String QUOTA_ID = "GPUS-PER-GPU-FAMILY-per-project-region";

  /** Copies the rows. */
  public GpuFamilyQuotas {
    rows = List.copyOf(rows);
  }

  /**
   * A limit.
   *
   * @param family Google's name, such as {@code NVIDIA_H100}; empty for every family
   * @param region empty for every region
   * @param limit infinite if there is none
   */
  public record Row(Optional<String> family, Optional<String> region, double limit) {
    private boolean applies(String someFamily, String someRegion) {
      return family.map(someFamily::equals).orElse(true)
          && region.map(someRegion::equals).orElse(true);
    }

    private int dimensions() {
      return (family.isPresent() ? 1 : 0) + (region.isPresent() ? 1 : 0);
    }
  }

  /**
   * Returns the limit of a family in a region: that of the row with the most matching dimensions.
   * Empty if no row names the family, because a row for all families then says nothing about it.
   */
  public OptionalDouble limit(String family, String region) {
    if (rows.stream().noneMatch(row -> row.family().filter(family::equals).isPresent())) {
      return OptionalDouble.empty();
    }
    return rows.stream()
        .filter(row -> row.applies(family, region))
        .max(Comparator.comparingInt(Row::dimensions))
        .map(row -> OptionalDouble.of(row.limit()))
        .orElse(OptionalDouble.empty());
  }
}
