package io.elastune.provisioner.gcp.desk;

import io.elastune.provisioner.gcp.account.Compute;
import io.elastune.provisioner.gcp.account.Directory;
import io.elastune.provisioner.gcp.account.ProjectSettings;
import io.elastune.provisioner.gcp.offers.KeptPrices;
import java.util.Optional;

/** Creates clients for the user's project. Nothing is loaded or called before. */
public interface AccountDoors {
  Compute compute();

  Directory directory();

  /** Returns current prices; empty without an API key for them. */
  Optional<KeptPrices> prices();

  /** Returns the settings; empty if there are none for Google Cloud. */
  Optional<ProjectSettings> settings();

  /** Returns the name of the settings file in messages. */
  String settingsName();

  /** Returns why no call is possible: no credentials or no project. Empty if calls are possible. */
  Optional<String> absent();
}
