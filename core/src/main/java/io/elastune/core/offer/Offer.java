package io.elastune.core.offer;

import io.elastune.core.Preconditions;
import io.elastune.core.Spread;
import io.elastune.core.faults.InstanceFaultRates;
import io.elastune.core.field.Bounds;
import io.elastune.core.field.FileField;
import io.elastune.core.field.FileSection;
import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * Something that can be rented: location, instance type, market, price, billing terms and
 * provisioning times. Offers are always data, never constants in code.
 *
 * @param infra location: {@code local}, {@code simulated}, {@code ray/CLUSTER}, {@code
 *     aws/REGION[/ZONE]}, {@code gcp/REGION[/ZONE]}; {@code simulated/…} simulates the location
 *     after the slash
 * @param coresPerGpu 0 for the default
 * @param slotsPerCore 0 for the default, which is 1
 */
@FileSection(
    title = "offers",
    doc = "The offers: a list of these. An offer's name is `infra/instance_type/market`.")
@RecordBuilder
public record Offer(
    @FileField(doc = "Location.", example = "aws/us-east-1") String infra,
    @FileField(doc = "The provider's name of the instance type.", example = "p3.8xlarge")
        String instanceType,
    @FileField(doc = "The GPU model; it selects the profile.", example = "V100") String gpu,
    @FileField(
            doc =
                "GPUs per instance; on `local`, slots: each has a GPU, or `cores_per_gpu` cores if"
                    + " `gpu` is `cpu` or the machine has no GPU.",
            example = "4")
        int gpus,
    @FileField(
            doc = "Market on which the capacity is bought.",
            absent = "on-demand",
            example = "on-demand")
        Market market,
    @FileField(
            doc = "Price of one instance, before the job's discount; a list price is above 0.",
            example = "12.24")
        @Bounds(least = 0, most = Bounds.MOST_USD, unit = "USD per hour")
        double usdPerHour,
    @FileField(
            doc = "`list` is charged; `notional` (local, simulated, own cluster) is only shown.",
            absent = "list",
            example = "list")
        PriceKind price,
    @FileField(
            doc = "Billing terms.",
            example = "{per: instance, granularity_s: 1, minimum_s: 60, per_use_usd: 0}")
        BillingTerms billing,
    @FileField(
            doc =
                "Seconds from request to running; not billed. An instance that is released before"
                    + " it is running costs nothing but its data-in.",
            example = "{mean: 15, cv: 0.3}")
        Spread queueS,
    @FileField(
            doc = "Seconds from running to ready, including the job's setup; billed.",
            example = "{mean: 60, cv: 0.2}")
        Spread bootS,
    @FileField(doc = "Charge for every instance requested.", absent = "0", example = "0")
        @Bounds(least = 0, most = Bounds.MOST_USD, unit = "USD")
        double dataInUsd,
    @FileField(doc = "Charged from running to release.", absent = "0", example = "0")
        @Bounds(least = 0, most = Bounds.MOST_USD, unit = "USD per hour")
        double diskUsdPerHour,
    @FileField(
            doc = "On `local`: cores per slot.",
            without = "the machine's cores divided by its GPUs; 1 for a slot without a GPU",
            example = "1")
        int coresPerGpu,
    @FileField(
            doc =
                "On `local`: slots without a GPU that share one core, for trials that mostly wait.",
            without = "1",
            example = "4")
        int slotsPerCore,
    @FileField(
            doc = "Rates at which its instances fail; predictions include them.",
            without = "no faults",
            example = "{failures: {value: 0.0003, source: run history, evidence: 9000}}")
        InstanceFaultRates faults) {
  /** The name of the simulated provider, whose instances exist in virtual time only. */
  public static final String SIMULATED = "simulated";

  /** The providers of machines of the user. */
  private static final List<String> OWN = List.of("local", "ray");

  public Offer {
    Preconditions.text("infra", infra);
    Preconditions.text("instance_type", instanceType);
    Preconditions.text("gpu", gpu);
    Preconditions.atLeast("gpus", 1, gpus);
    Preconditions.notNegative("usd_per_hour", usdPerHour);
    Preconditions.notNegative("data_in_usd", dataInUsd);
    Preconditions.notNegative("disk_usd_per_hour", diskUsdPerHour);
    Preconditions.atLeast("cores_per_gpu", 0, coresPerGpu);
    Preconditions.atLeast("slots_per_core", 0, slotsPerCore);
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
        0,
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

  /**
   * Returns whether its price is that of money. A simulated offer of a cloud counts as the real
   * one, so that a simulation executes the same plan.
   */
  public boolean costsMoney() {
    return price != PriceKind.NOTIONAL || (isSimulated() && !OWN.contains(rentedProvider()));
  }

  /**
   * Returns the simulated version of this offer: the same in virtual time, with a notional price.
   */
  public Offer toSimulated() {
    return OfferBuilder.builder(this)
        .infra(SIMULATED + "/" + infra)
        .price(PriceKind.NOTIONAL)
        .build();
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
    return OfferBuilder.builder(this).usdPerHour(otherUsdPerHour).build();
  }

  /** Returns this offer with measured queueing and boot times. */
  public Offer withProvisioning(Spread measuredQueueS, Spread measuredBootS) {
    return OfferBuilder.builder(this).queueS(measuredQueueS).bootS(measuredBootS).build();
  }

  /** Returns this offer with other fault rates. */
  public Offer withFaults(InstanceFaultRates other) {
    return OfferBuilder.builder(this).faults(other).build();
  }
}
