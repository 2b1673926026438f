package io.elastune.provisioner.aws.account;

import io.elastune.provisioner.aws.model.AccountApi;
import io.elastune.provisioner.aws.model.BucketLookup;
import io.elastune.provisioner.aws.model.Ec2;
import io.elastune.provisioner.aws.model.PriceList;
import io.elastune.provisioner.aws.model.RegionSettings;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Creates clients of an account; the caller closes them. */
public interface AccountClients {
  /** Returns an EC2 client of a region. */
  Ec2 ec2(String region);

  /** Returns a client for identity, quotas and zones in a region. */
  AccountApi directory(String region);

  /** Returns an S3 client of a region. */
  BucketLookup buckets(String region);

  /** Returns a client for instance types and prices in a region. */
  PriceList prices(String region);

  /** Returns the region of the user's AWS settings, or a default region. */
  String defaultRegion();

  /** Queries all regions that the account can use. */
  List<String> regions();

  /** Returns the settings by region; empty if there are none for AWS. */
  Map<String, RegionSettings> settings();

  /** Returns the name of the settings file, for messages. */
  String settingsName();

  /** Returns whether the settings have an AWS section. */
  boolean isConfigured();

  /** Returns a message if credentials are missing; otherwise empty. */
  Optional<String> unavailableReason();
}
