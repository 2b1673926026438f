package io.elastune.provisioner.aws.desk;

import io.elastune.provisioner.aws.account.Buckets;
import io.elastune.provisioner.aws.account.Directory;
import io.elastune.provisioner.aws.account.Ec2;
import io.elastune.provisioner.aws.account.PriceList;
import java.util.List;
import java.util.Optional;

/** Creates clients of an account; the caller closes them. */
public interface AccountDoors {
  /** Returns an EC2 client of a region. */
  Ec2 ec2(String region);

  /** Returns a client for identity, quotas and zones in a region. */
  Directory directory(String region);

  /** Returns an S3 client of a region. */
  Buckets buckets(String region);

  /** Returns a client for instance types and prices in a region. */
  PriceList prices(String region);

  /** Returns the region of the user's AWS settings, or a default region. */
  String usualRegion();

  /** Queries all regions that the account can use. */
  List<String> regions();

  /** Returns the name of the settings file, for messages. */
  String settingsName();

  /** Returns whether the settings have an AWS section. */
  boolean isSetUp();

  /** Returns a message if credentials are missing; otherwise empty. */
  Optional<String> absent();
}
