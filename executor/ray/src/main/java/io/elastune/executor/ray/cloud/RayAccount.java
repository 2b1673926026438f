package io.elastune.executor.ray.cloud;

import io.elastune.core.offer.Offer;
import io.elastune.core.offer.OfferCatalog;
import io.elastune.core.offer.Quota;
import io.elastune.core.time.Durations;
import io.elastune.executor.ray.link.Frame;
import io.elastune.executor.ray.link.Request;
import io.elastune.executor.ray.settings.BridgeCommand;
import io.elastune.executor.ray.settings.UserClusters;
import io.elastune.provisioner.CapacityRequest;
import io.elastune.provisioner.CheckResult;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.RefusalReason;
import io.elastune.provisioner.TaggedInstance;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The user's Ray clusters, for queries outside of runs. */
final class RayAccount implements CloudAccount {
  private static final String PREFIX = UserClusters.PROVIDER + "/";

  private final CloudContext context;
  private final Function<String, Optional<String>> environment;

  RayAccount(CloudContext context) {
    this(context, name -> Optional.ofNullable(System.getenv(name)));
  }

  /**
   * Creates an account.
   *
   * @param environment returns the value of an environment variable
   */
  RayAccount(CloudContext context, Function<String, Optional<String>> environment) {
    this.context = context;
    this.environment = environment;
  }

  private UserClusters clusters() {
    return UserClusters.read(context.settings());
  }

  /** Returns these places, or all clusters with a name. */
  private List<String> placesOr(List<String> places) {
    return places.isEmpty()
        ? clusters().named().keySet().stream().map(name -> PREFIX + name).toList()
        : places;
  }

  @Override
  public List<List<String>> independent(List<String> places) {
    return placesOr(places).stream().map(List::of).toList();
  }

  private ClusterQuery open(String place) {
    return new ClusterQuery(
        new BridgeCommand(clusters().find(place), environment),
        context.home().resolve("ray").resolve("query.log"));
  }

  @Override
  public boolean isConfigured() {
    return !clusters().named().isEmpty();
  }

  @Override
  public Optional<String> unavailableReason() {
    return isConfigured()
        ? Optional.empty()
        : Optional.of(context.settings() + " has no section ray; name a cluster with --infra");
  }

  @Override
  public List<TaggedInstance> instances(List<String> places) {
    List<TaggedInstance> all = new ArrayList<>();
    for (String place : placesOr(places)) {
      try (ClusterQuery query = open(place)) {
        query
            .json(Request.of("agents").with("describe", true))
            .forEach(agent -> all.add(instance(place, agent)));
      }
    }
    return all;
  }

  private TaggedInstance instance(String place, JsonNode agent) {
    String lease = agent.path("lease").asString("");
    double leftS = agent.path("left_s").asDouble(0);
    boolean known = agent.has("left_s");
    return new TaggedInstance(
        UserClusters.PROVIDER,
        place.substring(PREFIX.length()),
        lease,
        agent.path("tags").path("type").asString(agent.path("state").asString("")),
        agent.path("run").asString(lease.replaceFirst("-[0-9]+$", "")),
        agent.path("tags").path("owner").asString(""),
        known ? Optional.of(now().plusSeconds((long) leftS)) : Optional.empty(),
        OptionalDouble.empty());
  }

  private Instant now() {
    return context.time().instant().truncatedTo(ChronoUnit.SECONDS);
  }

  @Override
  public void terminate(Collection<TaggedInstance> instances) {
    instances.stream()
        .collect(Collectors.groupingBy(TaggedInstance::region))
        .forEach(
            (region, some) -> {
              try (ClusterQuery query = open(PREFIX + region)) {
                for (TaggedInstance instance : some) {
                  query.send(
                      Request.of("detach", instance.id())
                          .with("by_user", true)
                          .with("pending", instance.expires().isEmpty()));
                }
              }
            });
  }

  @Override
  public OfferCatalog offers(List<String> places) {
    List<Offer> offers = new ArrayList<>();
    List<Quota> quotas = new ArrayList<>();
    List<String> all = placesOr(places);
    String date = now().toString();
    for (String place : all) {
      try (ClusterQuery query = open(place)) {
        List<ClusterNode> nodes = ClusterNode.parse(query.send(Request.of("nodes")).bytes());
        OfferCatalog found = RayOffers.of(place, nodes, date);
        offers.addAll(found.offers());
        if (clusters().find(place).nodeStart().isEmpty()) { // an autoscaler may add more
          quotas.addAll(found.quotas());
        }
      }
    }
    if (offers.isEmpty()) {
      String where = all.isEmpty() ? "No Ray cluster is configured" : String.join(", ", all);
      throw new CloudException(
          new CloudFailure.Capacity(where + (all.isEmpty() ? "" : ": no node has a GPU or a CPU")));
    }
    return new OfferCatalog("nodes of " + String.join(", ", all), date, offers, quotas);
  }

  @Override
  public List<CheckResult> check(CapacityRequest request) {
    List<String> places = placesOr(request.places());
    if (places.isEmpty()) {
      return List.of(
          CheckResult.unknown(
              UserClusters.PROVIDER,
              "no Ray cluster in " + context.settings(),
              "for the cluster of this machine: elastune check --infra ray/auto"));
    }
    List<CheckResult> all = new ArrayList<>();
    for (String place : places) {
      all.addAll(check(place, request));
    }
    return all;
  }

  private List<CheckResult> check(String place, CapacityRequest request) {
    List<CheckResult> found = new ArrayList<>();
    try (ClusterQuery query = open(place)) {
      Frame answer = query.send(Request.of("nodes"));
      List<ClusterNode> nodes = ClusterNode.parse(answer.bytes());
      String version = answer.ok().path("ray").asString("");
      String address = answer.ok().path("address").asString("");
      found.add(
          CheckResult.passed(place, "Ray " + version + " at " + address + ": " + summary(nodes)));
      for (Offer offer : request.offers()) {
        if (offer.infra().equals(place)) {
          found.add(capacity(offer, nodes, clusters().find(place).nodeStart()));
        }
      }
    } catch (CloudException e) {
      found.add(
          CheckResult.failed(
              place, e.failure().message(), "see docs/ray.md", refusal(e.failure())));
    }
    return found;
  }

  private static CheckResult capacity(
      Offer offer, List<ClusterNode> nodes, Optional<Duration> nodeStart) {
    boolean cpu = offer.hasGpu(RayOffers.CPU);
    int wanted = cpu ? (int) RayOffers.placement(offer, nodes).cpus() : offer.gpus();
    boolean fits =
        nodes.stream()
            .filter(ClusterNode::alive)
            .anyMatch(node -> (cpu ? node.cpus() : node.gpus()) >= wanted);
    String what = wanted + (cpu ? " CPUs" : " GPUs");
    if (fits) {
      return CheckResult.passed(offer.name(), "a node has " + what);
    }
    return nodeStart.isPresent()
        ? CheckResult.unknown(
            offer.name(),
            "no node has " + what + "; a request waits " + Durations.format(nodeStart.get()),
            "the autoscaler of the cluster must have a node type with " + what)
        : CheckResult.failed(
            offer.name(),
            "no node has " + what,
            "use an offer of 'elastune offers --infra "
                + offer.infra()
                + "', or set node_start of the cluster if an autoscaler adds such nodes",
            RefusalReason.CAPACITY);
  }

  private static String summary(List<ClusterNode> nodes) {
    List<ClusterNode> alive = nodes.stream().filter(ClusterNode::alive).toList();
    return alive.size()
        + (alive.size() == 1 ? " node, " : " nodes, ")
        + alive.stream().mapToInt(ClusterNode::gpus).sum()
        + " GPUs, "
        + alive.stream().mapToInt(ClusterNode::cpus).sum()
        + " CPUs";
  }

  private static RefusalReason refusal(CloudFailure failure) {
    if (failure instanceof CloudFailure.Permission) {
      return RefusalReason.PERMISSION;
    }
    return failure instanceof CloudFailure.Invalid ? RefusalReason.INVALID : RefusalReason.CAPACITY;
  }

  @Override
  public void close() {}
}
