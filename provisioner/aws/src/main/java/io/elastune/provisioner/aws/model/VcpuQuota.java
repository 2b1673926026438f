package io.elastune.provisioner.aws.model;

import io.elastune.core.offer.Market;
import java.util.Optional;

/**
 * An EC2 quota on the vCPUs that an account may run in a region, with its code and name in Service
 * Quotas.
 */
public enum VcpuQuota {
  ON_DEMAND_G("L-DB2E81BA", "Running On-Demand G and VT instances"),
  ON_DEMAND_P("L-417A185B", "Running On-Demand P instances"),
  ON_DEMAND_STANDARD(
      "L-1216C47A", "Running On-Demand Standard (A, C, D, H, I, M, R, T, Z) instances"),
  SPOT_G("L-3819A6DF", "All G and VT Spot Instance Requests"),
  SPOT_P("L-7212CCBC", "All P4, P3 and P2 Spot Instance Requests"),
  SPOT_P5("L-C4BD4855", "All P5 Spot Instance Requests"),
  SPOT_STANDARD("L-34B43A08", "All Standard (A, C, D, H, I, M, R, T, Z) Spot Instance Requests");

  private final String code;
  private final String title;

  VcpuQuota(String code, String title) {
    this.code = code;
    this.title = title;
  }

  /**
   * Returns the quota to which instances of that type count; empty if its code is unknown, such as
   * that of P6 on spot and of Trainium.
   */
  public static Optional<VcpuQuota> of(String instanceType, Market market) {
    boolean spot = market == Market.SPOT;
    if (instanceType.matches("(g|gr|vt)[0-9].*")) {
      return Optional.of(spot ? SPOT_G : ON_DEMAND_G);
    }
    if (instanceType.matches("p[0-9].*")) {
      return spot ? spotP(instanceType) : Optional.of(ON_DEMAND_P);
    }
    if (instanceType.matches("(a|c|d|h|i|im|is|m|r|t|z)[0-9].*")) {
      return Optional.of(spot ? SPOT_STANDARD : ON_DEMAND_STANDARD);
    }
    return Optional.empty();
  }

  private static Optional<VcpuQuota> spotP(String instanceType) {
    if (instanceType.matches("p[2-4].*")) {
      return Optional.of(SPOT_P);
    }
    return instanceType.startsWith("p5") ? Optional.of(SPOT_P5) : Optional.empty();
  }

  /** Returns the quota code in Service Quotas. */
  public String code() {
    return code;
  }

  /** Returns the quota name in Service Quotas. */
  public String title() {
    return title;
  }

  /** Returns name and code as text for users. */
  public String text() {
    return "\"" + title + "\" (" + code + ")";
  }
}
