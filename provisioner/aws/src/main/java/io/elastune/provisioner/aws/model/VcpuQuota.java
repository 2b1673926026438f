package io.elastune.provisioner.aws.model;

import io.elastune.core.offer.Market;

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

  /** Returns the quota to which instances of that type count. */
  public static VcpuQuota of(String instanceType, Market market) {
    boolean spot = market == Market.SPOT;
    if (instanceType.matches("(g|gr|vt)[0-9].*")) {
      return spot ? SPOT_G : ON_DEMAND_G;
    }
    if (instanceType.matches("p5.*")) {
      return spot ? SPOT_P5 : ON_DEMAND_P;
    }
    if (instanceType.matches("p[0-9].*")) {
      return spot ? SPOT_P : ON_DEMAND_P;
    }
    return spot ? SPOT_STANDARD : ON_DEMAND_STANDARD;
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
