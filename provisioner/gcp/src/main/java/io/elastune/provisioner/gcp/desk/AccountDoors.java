package io.elastune.provisioner.gcp.desk;

import io.elastune.provisioner.gcp.account.Compute;
import io.elastune.provisioner.gcp.account.Directory;
import io.elastune.provisioner.gcp.account.ProjectSettings;
import io.elastune.provisioner.gcp.offers.KeptPrices;
import java.util.Optional;

/** Opens doors to the user's project; nothing is loaded or asked before. */
public interface AccountDoors {
  Compute compute();

  Directory directory();

  /** Prices of now; empty if there is no key to ask for them with. */
  Optional<KeptPrices> prices();

  /** The settings; empty if there are none for Google Cloud. */
  Optional<ProjectSettings> settings();

  /** What the settings are called in messages. */
  String settingsName();

  /** Why nothing can be asked: no credentials, or no project; empty if something can. */
  Optional<String> absent();
}
