package io.elastune.core.offer;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;
import io.elastune.core.faults.InstanceFaultRates;
import java.util.function.Consumer;

/**
 * Something that can be rented: location, instance type, market, price, billing terms and
 * provisioning times. Offers are always data, never constants in code.
 *
 * @param infra location: {@code local}, {@code simulated}, {@code ray/CLUSTER}, {@code
 *     aws/REGION[/ZONE]}, {@code gcp/REGION[/ZONE]}; {@code simulated/…} simulates the location
 *     after the slash
 * @param instanceType the provider's name of the instance type
 * @param gpu the GPU model, which selects the profile
 * @param gpus GPUs per instance; on {@code local}, slots, each with a GPU if the machine has any
 * @param usdPerHour price of one instance, before the job's discount
 * @param price whether the price is charged or notional
 * @param queueS seconds from request to running; not billed
 * @param bootS seconds from running to ready, including the job's setup; billed
 * @param dataInUsd USD charged once for every lease requested
 * @param diskUsdPerHour USD per hour charged from running to release, for the root disk and a
 *     public address
 * @param coresPerGpu on {@code local}: cores per slot; 0 for the default
 * @param faults the rates at which its instances fail
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
    int coresPerGpu,
    InstanceFaultRates faults) {
  /** The name of the simulated provider, whose instances exist in virtual time only. */
  public static final String SIMULATED = "simulated";

  public Offer {
    Preconditions.text("infra", infra);
    Preconditions.text("instance_type", instanceType);
    Preconditions.text("gpu", gpu);
    Preconditions.atLeast("gpus", 1, gpus);
    Preconditions.notNegative("usd_per_hour", usdPerHour);
    Preconditions.notNegative("data_in_usd", dataInUsd);
    Preconditions.notNegative("disk_usd_per_hour", diskUsdPerHour);
    Preconditions.atLeast("cores_per_gpu", 0, coresPerGpu);
  }

  /** Creates an offer whose instances do not fail. */
  public Offer(
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
    this(
        infra,
        instanceType,
        gpu,
        gpus,
        market,
        usdPerHour,
        price,
        billing,
        queueS,
        bootS,
        dataInUsd,
        diskUsdPerHour,
        coresPerGpu,
        InstanceFaultRates.NONE);
  }

  /** Returns the offer's name, e.g. {@code aws/us-east-1/p3.8xlarge/on-demand}. */
  public String name() {
    return infra + "/" + instanceType + "/" + market.word();
  }

  /** Returns the provider: the first part of {@code infra}. */
  public String provider() {
    int slash = infra.indexOf('/');
    return slash < 0 ? infra : infra.substring(0, slash);
  }

  /** Returns the provider, or of a simulated offer the provider that is simulated. */
  public String rentedProvider() {
    String prefix = SIMULATED + "/";
    String place = infra.startsWith(prefix) ? infra.substring(prefix.length()) : infra;
    int slash = place.indexOf('/');
    return slash < 0 ? place : place.substring(0, slash);
  }

  /** Returns whether the offer has this GPU model, in upper or lower case. */
  public boolean hasGpu(String model) {
    return gpu.equalsIgnoreCase(model);
  }

  /** Returns whether the offer exists in virtual time only. */
  public boolean isSimulated() {
    return provider().equals(SIMULATED);
  }

  private Offer with(Consumer<Copy> change) {
    Copy copy = new Copy(this);
    change.accept(copy);
    return copy.build();
  }

  /**
   * Returns the simulated version of this offer: the same in virtual time, with a notional price.
   */
  public Offer toSimulated() {
    return with(
        copy -> {
          copy.infra = SIMULATED + "/" + infra;
          copy.price = PriceKind.NOTIONAL;
        });
  }

  /**
   * Returns whether a trial with {@code gpusPerTrial} GPUs fits into one instance or fills whole
   * instances.
   */
  public boolean isLegalSize(int gpusPerTrial) {
    return gpusPerTrial >= 1 && (gpusPerTrial <= gpus || gpusPerTrial % gpus == 0);
  }

  /** Returns this offer with the price reduced by {@code discount} (a fraction). */
  public Offer discounted(double discount) {
    return withUsdPerHour(usdPerHour * (1 - Preconditions.fraction("discount", discount)));
  }

  /** Returns this offer with another price. */
  public Offer withUsdPerHour(double otherUsdPerHour) {
    return with(copy -> copy.usdPerHour = otherUsdPerHour);
  }

  /** Returns this offer with another charge for the root disk and a public address. */
  public Offer withDiskUsdPerHour(double otherUsdPerHour) {
    return with(copy -> copy.diskUsdPerHour = otherUsdPerHour);
  }

  /** Returns this offer with other billing terms. */
  public Offer withBilling(BillingTerms other) {
    return with(copy -> copy.billing = other);
  }

  /** Returns this offer with measured queueing and boot times. */
  public Offer withProvisioning(Spread measuredQueueS, Spread measuredBootS) {
    return with(
        copy -> {
          copy.queueS = measuredQueueS;
          copy.bootS = measuredBootS;
        });
  }

  /** Returns this offer with other fault rates. */
  public Offer withFaults(InstanceFaultRates other) {
    return with(copy -> copy.faults = other);
  }

  /** A mutable copy of an offer, to create one that differs in some components. */
  private static final class Copy {
    String infra;
    String instanceType;
    String gpu;
    int gpus;
    Market market;
    double usdPerHour;
    PriceKind price;
    BillingTerms billing;
    Spread queueS;
    Spread bootS;
    double dataInUsd;
    double diskUsdPerHour;
    int coresPerGpu;
    InstanceFaultRates faults;

    Copy(Offer offer) {
      infra = offer.infra();
      instanceType = offer.instanceType();
      gpu = offer.gpu();
      gpus = offer.gpus();
      market = offer.market();
      usdPerHour = offer.usdPerHour();
      price = offer.price();
      billing = offer.billing();
      queueS = offer.queueS();
      bootS = offer.bootS();
      dataInUsd = offer.dataInUsd();
      diskUsdPerHour = offer.diskUsdPerHour();
      coresPerGpu = offer.coresPerGpu();
      faults = offer.faults();
    }

    Offer build() {
      return new Offer(
          infra,
          instanceType,
          gpu,
          gpus,
          market,
          usdPerHour,
          price,
          billing,
          queueS,
          bootS,
          dataInUsd,
          diskUsdPerHour,
          coresPerGpu,
          faults);
    }
  }
}
