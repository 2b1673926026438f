package io.elastune.cli.account;

import io.elastune.cli.failure.CommandFailure;
import io.elastune.provisioner.CloudAccount;
import io.elastune.provisioner.CloudContext;
import io.elastune.provisioner.CloudException;
import io.elastune.provisioner.CloudFailure;
import io.elastune.provisioner.CloudProvider;
import io.elastune.provisioner.CloudProviders;
import io.elastune.provisioner.Installation;
import io.elastune.provisioner.TaggedInstance;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;

/** Opens the user's accounts at the cloud providers and queries them. */
final class CloudAccounts {
  private final CloudContext context;
  private final Map<String, CloudProvider> providers = new LinkedHashMap<>();

  /** Skipped providers that have been reported: each is reported once. */
  private final Set<String> reported = new LinkedHashSet<>();

  private final Consumer<String> notes;

  /** {@code notes} receives a line for each provider that is skipped for lack of credentials. */
  CloudAccounts(CloudContext context, Consumer<String> notes) {
    this.context = context;
    this.notes = notes;
    CloudProviders.all().forEach(provider -> providers.put(provider.name(), provider));
  }

  /** A request to one account. */
  private interface AccountRequest {
    /**
     * Sends the request.
     *
     * @param places locations of that provider; empty for all
     */
    void ask(String provider, CloudAccount account, List<String> places);
  }

  /**
   * Searches all instances with Elastune tags in these locations, or everywhere if there are none.
   */
  InstanceSearch instances(List<String> infra) {
    InstanceSearch search = new InstanceSearch();
    ask(infra, search::search);
    return search;
  }

  /** Requests the termination of the instances. */
  void terminate(Collection<TaggedInstance> instances) {
    instances.stream()
        .map(TaggedInstance::provider)
        .distinct()
        .forEach(
            provider ->
                ask(
                    List.of(provider),
                    (same, account, places) ->
                        account.terminate(
                            instances.stream()
                                .filter(i -> i.provider().equals(provider))
                                .toList())));
  }

  /** Whether the provider has accounts at all. */
  boolean hasAccount(String provider) {
    return with(provider, account -> true).isPresent();
  }

  /** Passes the provider's account to {@code use}. The provider must have one. */
  void withAccount(String provider, Consumer<CloudAccount> use) {
    ask(provider, List.of(), (same, account, places) -> use.accept(account));
  }

  private void ask(List<String> infra, AccountRequest accountRequest) {
    if (infra.isEmpty()) {
      askAll(accountRequest);
      return;
    }
    Map<String, List<String>> byProvider = new LinkedHashMap<>();
    for (String place : infra) {
      String provider = place.split("/", 2)[0];
      List<String> places = byProvider.computeIfAbsent(provider, some -> new ArrayList<>());
      if (!place.equals(provider)) {
        places.add(place);
      }
    }
    byProvider.forEach((provider, places) -> ask(provider, places, accountRequest));
  }

  /**
   * Sends the request to all providers that have credentials. A provider without credentials has no
   * instances of the user; it is an error only if no provider has credentials.
   */
  private void askAll(AccountRequest accountRequest) {
    Map<String, String> absent = new LinkedHashMap<>();
    List<String> usable = new ArrayList<>();
    for (String provider : providers.keySet()) {
      with(provider, CloudAccount::unavailableReason)
          .ifPresent(
              why ->
                  why.ifPresentOrElse(
                      some -> absent.put(provider, some), () -> usable.add(provider)));
    }
    if (usable.isEmpty() && !absent.isEmpty()) {
      throw new CloudException(
          new CloudFailure.Permission(
              "no cloud can be queried: " + String.join("; ", absent.values())));
    }
    absent.forEach(
        (provider, why) -> {
          if (reported.add(provider)) {
            notes.accept(provider + " is skipped: " + why);
          }
        });
    usable.forEach(provider -> ask(provider, List.of(), accountRequest));
  }

  private void ask(String provider, List<String> places, AccountRequest accountRequest) {
    with(
        provider,
        account -> {
          accountRequest.ask(provider, account, places);
          return true;
        });
  }

  /** Opens the provider's account, applies {@code read}, and closes it. Empty if it has none. */
  private <T> Optional<T> with(String provider, Function<CloudAccount, T> read) {
    return provider(provider)
        .account(context)
        .map(
            account -> {
              try (account) {
                return read.apply(account);
              }
            });
  }

  /** Returns the providers that the user's settings name, or all that have accounts if none. */
  List<String> configuredProviders() {
    Map<String, Boolean> isSetUp = new TreeMap<>();
    for (String provider : providers.keySet()) {
      with(provider, CloudAccount::isConfigured).ifPresent(is -> isSetUp.put(provider, is));
    }
    List<String> some =
        isSetUp.keySet().stream().filter(provider -> isSetUp.get(provider)).toList();
    return some.isEmpty() ? List.copyOf(isSetUp.keySet()) : some;
  }

  private CloudProvider provider(String name) {
    CloudProvider provider = providers.get(name);
    if (provider == null) {
      Installation.missingExtra(name)
          .ifPresent(
              extra -> {
                throw CommandFailure.invalid("--infra", extra.reason(), extra.remedy());
              });
      throw CommandFailure.invalid(
          "--infra",
          "unknown cloud provider: " + name,
          "available: " + String.join(", ", providers.keySet()));
    }
    return provider;
  }
}
