package io.elastune.cli.rented;

import java.util.List;

/** What emulated instances read from a fake cloud. */
public interface NodeCloud {
  /** Returns the leases of the instances that run or start. */
  List<String> leases();

  /** Returns the user data of an instance. */
  String script(String lease);

  /** Returns the expiry in the metadata of an instance. */
  String expiry(String lease);
}
