package io.elastune.inputs;

import io.elastune.core.config.FileProblemsException;
import io.elastune.core.job.Job;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.Quota;
import io.elastune.core.profile.Profile;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** Checks that the memory of this machine is enough for a trial, if its need is known. */
final class MemoryCheck {
  private final LoadedFile<Job> job;
  private final String catalog;
  private final List<Offer> offers;
  private final Map<String, Profile> profiles;
  private final Optional<Quota> memory;

  /**
   * Creates a check.
   *
   * @param catalog the name of the file with the offers
   * @param offers those with a profile
   * @param profiles by GPU model
   * @param quotas the limits on the offers
   */
  MemoryCheck(
      LoadedFile<Job> job,
      String catalog,
      List<Offer> offers,
      Map<String, Profile> profiles,
      List<Quota> quotas) {
    this.job = job;
    this.catalog = catalog;
    this.offers = offers;
    this.profiles = profiles;
    memory = quotas.stream().filter(Quota::isMemory).findFirst();
  }

  /** Returns whether there is memory for a trial on none of the offers. */
  boolean isTooLittle() {
    return memory
        .filter(quota -> offers.stream().noneMatch(offer -> hasRoom(quota, offer)))
        .isPresent();
  }

  /** A trial fills an instance, or several, or uses the workers of a part of one. */
  private boolean hasRoom(Quota quota, Offer offer) {
    long workers = (long) quota.maxInstances(offer.name()) * offer.gpus();
    return workers >= job.value().trial().gpus().low();
  }

  /** Returns the problem of a job for which there is too little memory. */
  FileProblemsException refusal() {
    Quota quota = memory.orElseThrow();
    Offer offer = offers.get(0);
    Profile profile = profiles.get(offer.gpu());
    int least = job.value().trial().gpus().low();
    double workerMb = (double) quota.unitsPerInstance(offer.name()) / offer.gpus();
    boolean fitsAlone = workerMb * least <= quota.limit();
    return JobProblems.usage(
        job,
        "resources",
        fitsAlone
            ? String.format(
                Locale.ROOT,
                "the %d workers of one %s need %s of memory, and this machine has %s; lower gpus in"
                    + " %s",
                offer.gpus(),
                offer.name(),
                quota.amount(quota.unitsPerInstance(offer.name())),
                quota.amount(quota.limit()),
                catalog)
            : String.format(
                Locale.ROOT,
                "a trial%s needs %s of memory on %s (%s), and this machine has %s; narrow the"
                    + " hyperparameters that need memory, such as the batch size, and run 'elastune"
                    + " profile %s', or set resources.infra to a cloud or a machine with more"
                    + " memory",
                least > 1 ? " with " + least + " workers" : "",
                quota.amount(workerMb * least),
                offer.gpu(),
                profile == null ? "profile" : profile.measured().source(),
                quota.amount(quota.limit()),
                job.name()));
  }
}
