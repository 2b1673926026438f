package io.elastune.provisioner.local;

import io.elastune.core.Spread;
import io.elastune.core.offer.BillingTerms;
import io.elastune.core.offer.Market;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.PriceKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The offers of this machine that need no offers file: a core, and the machine's GPUs. Instances
 * have one GPU, or 2, 4, 8 and so on, or all GPUs, for trials with several workers.
 */
final class LocalOffers {
  /** The approximate cloud price of a core, for comparison only. Nothing is charged. */
  private static final double CORE_USD_PER_HOUR = 0.05;

  /** The same of a GPU of medium size. */
  private static final double GPU_USD_PER_HOUR = 1;

  /** The model of a GPU whose model is unknown, or of GPUs with different models. */
  private static final String ANY_MODEL = "GPU";

  private static final Pattern VENDOR = Pattern.compile("^(NVIDIA|Tesla|GeForce|Quadro)\\s+");
  private static final Pattern MIG = Pattern.compile("^(\\S+?)-\\S* MIG (\\S+)$");

  /** A model of a data center, with its form and memory, as in {@code A100-SXM4-40GB}. */
  private static final Pattern DATA_CENTER = Pattern.compile("^([A-Z]+\\d+[A-Za-z]?)([- ].*)?$");

  private LocalOffers() {}

  /** Returns the offers of a machine. */
  static OfferCatalog of(MachineDevices machine) {
    List<Offer> offers = new ArrayList<>();
    offers.add(offer("core", "cpu", 1, CORE_USD_PER_HOUR));
    String model = model(machine.gpus());
    String type = model.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9.]+", "-");
    int count = machine.gpus().size();
    for (int gpus = 1; gpus < count; gpus *= 2) {
      offers.add(gpuOffer(type, model, gpus));
    }
    if (count > 0) {
      offers.add(gpuOffer(type, model, count));
    }
    return new OfferCatalog("built in", "2026-11-20", offers);
  }

  private static Offer gpuOffer(String type, String model, int gpus) {
    return offer(gpus == 1 ? type : type + "-x" + gpus, model, gpus, gpus * GPU_USD_PER_HOUR);
  }

  private static Offer offer(String type, String gpu, int gpus, double usdPerHour) {
    boolean core = gpu.equals("cpu");
    return new Offer(
        "local",
        type,
        gpu,
        gpus,
        Market.ON_DEMAND,
        usdPerHour,
        PriceKind.NOTIONAL,
        BillingTerms.BY_THE_SECOND,
        Spread.NONE,
        Spread.NONE,
        0,
        0,
        core ? 1 : 0); // a GPU has its share of the machine's cores
  }

  /** Returns the common model of the GPUs: which of them a slot gets does not depend on models. */
  private static String model(List<Gpu> gpus) {
    List<String> models = gpus.stream().map(gpu -> shortName(gpu.model())).distinct().toList();
    return models.size() == 1 ? models.get(0) : ANY_MODEL;
  }

  /** Returns the name of a model in price lists, e.g. {@code A10G} for {@code NVIDIA A10G}. */
  static String shortName(String model) {
    String name = model;
    for (Matcher vendor = VENDOR.matcher(name); vendor.find(); vendor = VENDOR.matcher(name)) {
      name = name.substring(vendor.end());
    }
    Matcher mig = MIG.matcher(name);
    if (mig.matches()) {
      return mig.group(1) + "-" + mig.group(2);
    }
    Matcher dataCenter = DATA_CENTER.matcher(name);
    return dataCenter.matches() ? dataCenter.group(1) : name.strip();
  }
}
