package io.elastune.cli.account;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.cli.failure.Problem;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.TaggedInstance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** The accounts of all kinds of cloud that are asked for. */
final class Accounts {
  private final CloudContext context;
  private final Map<String, CloudProvider> kinds = new LinkedHashMap<>();

  /** Kinds that were not asked, with the reason; each is told once. */
  private final Set<String> told = new LinkedHashSet<>();

  private final Consumer<String> notes;

  /** {@code notes} is told which kinds are not asked because there is nothing to ask them with. */
  Accounts(CloudContext context, Consumer<String> notes) {
    this.context = context;
    this.notes = notes;
    ServiceLoader.load(CloudProvider.class).forEach(kind -> kinds.put(kind.name(), kind));
  }

  /** What an account is asked. */
  private interface Question {
    /**
     * Asks.
     *
     * @param places of that kind; empty for everywhere
     */
    void ask(CloudAccount account, List<String> places);
  }

  /**
   * All instances with our tags in those places; everywhere, if none is named.
   *
   * @throws CloudException if any of them cannot be asked
   */
  List<TaggedInstance> instances(List<String> infra) {
    List<TaggedInstance> found = new ArrayList<>();
    ask(infra, (account, places) -> found.addAll(account.instances(places)));
    return found;
  }

  /** Orders those instances to end. */
  void end(Collection<TaggedInstance> instances) {
    instances.stream()
        .map(TaggedInstance::provider)
        .distinct()
        .forEach(
            kind ->
                ask(
                    List.of(kind),
                    (account, places) ->
                        account.end(
                            instances.stream().filter(i -> i.provider().equals(kind)).toList())));
  }

  /** Whether that kind of cloud has an account at all. */
  boolean has(String kind) {
    return with(kind, account -> true).isPresent();
  }

  /** Uses the account of a kind, which has one. */
  void use(String kind, Consumer<CloudAccount> use) {
    ask(kind, List.of(), (account, places) -> use.accept(account));
  }

  private void ask(List<String> infra, Question question) {
    if (infra.isEmpty()) {
      askWhoeverCanBe(question);
      return;
    }
    Map<String, List<String>> byKind = new LinkedHashMap<>();
    for (String place : infra) {
      String kind = place.split("/", 2)[0];
      List<String> places = byKind.computeIfAbsent(kind, some -> new ArrayList<>());
      if (!place.equals(kind)) {
        places.add(place);
      }
    }
    byKind.forEach((kind, places) -> ask(kind, places, question));
  }

  /** A kind without credentials has nothing of the user's; unless none has any. */
  private void askWhoeverCanBe(Question question) {
    Map<String, String> absent = new LinkedHashMap<>();
    List<String> there = new ArrayList<>();
    for (String kind : kinds.keySet()) {
      with(kind, CloudAccount::absent)
          .ifPresent(
              why -> why.ifPresentOrElse(some -> absent.put(kind, some), () -> there.add(kind)));
    }
    if (there.isEmpty() && !absent.isEmpty()) {
      throw new CloudException(
          new CloudFailure.Permission(
              "no cloud can be asked: " + String.join("; ", absent.values())));
    }
    absent.forEach(
        (kind, why) -> {
          if (told.add(kind)) {
            notes.accept(kind + " is not asked: " + why);
          }
        });
    there.forEach(kind -> ask(kind, List.of(), question));
  }

  private void ask(String kind, List<String> places, Question question) {
    with(
        kind,
        account -> {
          question.ask(account, places);
          return true;
        });
  }

  /** What is to be known of a kind's account, which is closed again; empty if it has none. */
  private <T> Optional<T> with(String kind, Function<CloudAccount, T> known) {
    return provider(kind)
        .account(context)
        .map(
            account -> {
              try (account) {
                return known.apply(account);
              }
            });
  }

  /** The kinds that the user's settings are about; all that have accounts, if they have none. */
  List<String> setUp() {
    Map<String, Boolean> isSetUp = new TreeMap<>();
    for (String kind : kinds.keySet()) {
      with(kind, CloudAccount::isSetUp).ifPresent(is -> isSetUp.put(kind, is));
    }
    List<String> some = isSetUp.keySet().stream().filter(kind -> isSetUp.get(kind)).toList();
    return some.isEmpty() ? List.copyOf(isSetUp.keySet()) : some;
  }

  private CloudProvider provider(String kind) {
    CloudProvider provider = kinds.get(kind);
    if (provider == null) {
      throw CommandFailure.usage(
          Problem.of(
              "--infra",
              kind + " is not a kind of cloud that is there",
              "there are " + String.join(", ", kinds.keySet())));
    }
    return provider;
  }
}
