package io.elastune.provisioner;

import io.elastune.core.config.FileProblem;
import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Opens the clouds and accounts of one provider, such as AWS. Each provider is a separate module
 * and is found with {@link java.util.ServiceLoader}, so that its libraries are loaded only when
 * used.
 */
public interface CloudProvider {
  /** Returns the first part of the {@code infra} of its offers, e.g. {@code local}. */
  String name();

  /**
   * Returns the offers in these places that are built into the provider, without any remote call.
   *
   * @param places {@code name()}, or {@code name()/REGION[/ZONE]}; an offer of a whole region is
   *     returned for each of its zones that is listed
   */
  Optional<OfferCatalog> builtInOffers(List<String> places);

  /**
   * Returns how the provider sells an instance type that it does not sell both on demand and on
   * spot, e.g. {@code [reservation, spot, flex-start]}; empty for all others.
   */
  default List<String> restrictedSales(String instanceType) {
    return List.of();
  }

  /**
   * Returns whether the offers come only from the account, which then needs no settings for places
   * that are named. Without an answer of the account, such places have no offers.
   */
  default boolean hasLiveOffersOnly() {
    return false;
  }

  /**
   * Returns limits on these offers that hold without an account, such as the GPUs of this machine.
   * The name of a limit says what holds the rest.
   *
   * @param workerGb the memory of one worker in GB by GPU model, where it is known; the memory of
   *     this machine limits only offers of these models
   * @param now whether to deduct what other runs use at present
   */
  default List<Quota> capacity(
      CloudContext context, List<Offer> offers, Map<String, Double> workerGb, boolean now) {
    return List.of();
  }

  /**
   * Returns how many instances of an offer exist, all of which a fixed cluster can use; {@link
   * Integer#MAX_VALUE} if this is not known without an account.
   */
  default int existing(Offer offer) {
    return Integer.MAX_VALUE;
  }

  /**
   * Returns what a run that has ended still uses besides instances, such as a GPU of this machine
   * by a process that was not ended. Each is named, for people.
   *
   * @param home the folder of Elastune's files
   */
  default List<String> left(Path home, String run) {
    return List.of();
  }

  /**
   * Returns the network of the instances in a place. Instances of one network can reach each other
   * with the settings that the documentation requires; those of different networks cannot, unless
   * the user has connected the networks.
   *
   * @param infra a place of this provider, such as {@code aws/us-east-1}
   * @throws CloudException if the settings cannot be read
   * @throws io.elastune.core.config.FileProblemsException if the settings are invalid
   */
  default String network(CloudContext context, String infra) {
    return name();
  }

  /**
   * Opens the cloud.
   *
   * @param events receives all events, on the cloud's own thread
   * @throws CloudException if the cloud cannot be opened, e.g. because settings are missing
   */
  Cloud open(CloudContext context, Consumer<CloudEvent> events);

  /**
   * Opens the cloud for the controller of a run.
   *
   * @param events receives all events, on the cloud's own thread
   * @throws CloudException if the cloud cannot be opened, e.g. because settings are missing
   */
  default Cloud open(RunContext context, Consumer<CloudEvent> events) {
    return open(context.cloud(), events);
  }

  /**
   * Returns the bucket that the settings name for instances in one of these places, such as {@code
   * s3://my-bucket}; empty if they name none. Makes no remote call.
   *
   * @param places as in {@link #builtInOffers}, in order of preference; empty for all regions
   * @throws io.elastune.core.config.FileProblemsException with all problems of the settings
   */
  default Optional<String> bucket(CloudContext context, List<String> places) {
    return Optional.empty();
  }

  /**
   * Returns all problems of the provider's part of the settings; none if it is missing. Makes no
   * remote call.
   */
  default List<FileProblem> settingsProblems(CloudContext context) {
    return List.of();
  }

  /**
   * Returns the user's account, for queries outside of runs; empty for a provider without accounts,
   * whose instances end with their controller.
   */
  default Optional<CloudAccount> account(CloudContext context) {
    return Optional.empty();
  }
}
