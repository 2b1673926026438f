package io.elastune.provisioner.gcp.account;

import io.elastune.provisioner.gcp.model.Compute;
import io.elastune.provisioner.gcp.model.ProjectApi;
import io.elastune.provisioner.gcp.model.ProjectServices;
import io.elastune.provisioner.gcp.model.ProjectSettings;
import io.elastune.provisioner.gcp.offers.CachedPrices;
import java.util.Optional;

/** Creates clients for the user's project. Nothing is loaded or called before. */
public interface AccountClients {
  Compute compute();

  ProjectApi directory();

  ProjectServices services();

  /** Returns current prices; empty without an API key for them. */
  Optional<CachedPrices> prices();

  /** Returns the settings; empty if there are none for Google Cloud. */
  Optional<ProjectSettings> settings();

  /** Returns the name of the settings file in messages. */
  String settingsName();

  /** Returns why no call is possible: no credentials or no project. Empty if calls are possible. */
  Optional<String> unavailableReason();
}
