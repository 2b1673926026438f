package io.elastune.core.offer;

import io.elastune.core.Check;
import io.elastune.core.Spread;

/**
 * Something that can be rented. Always data, never a constant in code.
 *
 * @param infra where: {@code local}, {@code simulated}, {@code aws/REGION[/ZONE]}, {@code
 *     gcp/REGION[/ZONE]}; {@code simulated/…} stands in for the place behind it
 * @param instanceType the provider's name of the machine type
 * @param gpu the GPU model, by which a profile is chosen
 * @param gpus GPUs per instance; on {@code local} slots of {@code coresPerGpu} cores
 * @param usdPerHour price of one instance; before the job's discount
 * @param price whether that price is charged or notional
 * @param queueS seconds from request to running: not billed
 * @param bootS seconds from running to ready, the job's setup included: billed
 * @param dataInUsd charged once for every lease requested
 * @param diskUsdPerHour charged from running to release
 * @param coresPerGpu on {@code local}: the cores of one slot
 */
public record Offer(
    String infra,
    String instanceType,
    String gpu,
    int gpus,
    Market market,
    double usdPerHour,
    PriceKind price,
    BillingTerms billing,
    Spread queueS,
    Spread bootS,
    double dataInUsd,
    double diskUsdPerHour,
    int coresPerGpu) {
  /** The provider of what is there in virtual time only. */
  public static final String SIMULATED = "simulated";

  public Offer {
    Check.text("infra", infra);
    Check.text("instance_type", instanceType);
    Check.text("gpu", gpu);
    Check.atLeast("gpus", 1, gpus);
    Check.notNegative("usd_per_hour", usdPerHour);
    Check.notNegative("data_in_usd", dataInUsd);
    Check.notNegative("disk_usd_per_hour", diskUsdPerHour);
    Check.atLeast("cores_per_gpu", 1, coresPerGpu);
  }

  /** The offer's name, e.g. {@code aws/us-east-1/p3.8xlarge/on-demand}. */
  public String name() {
    return infra + "/" + instanceType + "/" + market.word();
  }

  /** The provider: the first part of {@code infra}. */
  public String provider() {
    int slash = infra.indexOf('/');
    return slash < 0 ? infra : infra.substring(0, slash);
  }

  /** Whether it is there in virtual time only. */
  public boolean inVirtualTime() {
    return provider().equals(SIMULATED);
  }

  /** What stands in for it in virtual time: the same, but nothing is charged. */
  public Offer simulated() {
    return new Offer(
        SIMULATED + "/" + infra,
        instanceType,
        gpu,
        gpus,
        market,
        usdPerHour,
        PriceKind.NOTIONAL,
        billing,
        queueS,
        bootS,
        dataInUsd,
        diskUsdPerHour,
        coresPerGpu);
  }

  /** Whether a trial of {@code gpusPerTrial} GPUs fits whole instances or a part of one. */
  public boolean isLegalSize(int gpusPerTrial) {
    return gpusPerTrial >= 1 && (gpusPerTrial <= gpus || gpusPerTrial % gpus == 0);
  }

  /** The same offer with the price lowered by {@code discount} (a fraction). */
  public Offer discounted(double discount) {
    return withUsdPerHour(usdPerHour * (1 - Check.fraction("discount", discount)));
  }

  /** The same offer at another price. */
  public Offer withUsdPerHour(double otherUsdPerHour) {
    return new Offer(
        infra,
        instanceType,
        gpu,
        gpus,
        market,
        otherUsdPerHour,
        price,
        billing,
        queueS,
        bootS,
        dataInUsd,
        diskUsdPerHour,
        coresPerGpu);
  }

  /** The same offer at other billing terms. */
  public Offer withBilling(BillingTerms other) {
    return new Offer(
        infra,
        instanceType,
        gpu,
        gpus,
        market,
        usdPerHour,
        price,
        other,
        queueS,
        bootS,
        dataInUsd,
        diskUsdPerHour,
        coresPerGpu);
  }

  /** The same offer with measured queueing and boot times. */
  public Offer withProvisioning(Spread measuredQueueS, Spread measuredBootS) {
    return new Offer(
        infra,
        instanceType,
        gpu,
        gpus,
        market,
        usdPerHour,
        price,
        billing,
        measuredQueueS,
        measuredBootS,
        dataInUsd,
        diskUsdPerHour,
        coresPerGpu);
  }
}
