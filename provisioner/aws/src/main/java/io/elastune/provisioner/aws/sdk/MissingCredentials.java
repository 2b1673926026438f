package io.elastune.provisioner.aws.sdk;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import software.amazon.awssdk.profiles.ProfileFileSystemSetting;

/**
 * Explains why the SDK found no credentials. Its message lists the failures of all sources; only
 * that of the selected profile, or of a source that the environment configures, is the reason.
 */
final class MissingCredentials {
  static final String LOG_IN = "log in with 'aws configure' or 'aws sso login', or set AWS_PROFILE";

  private static final Pattern PROFILE =
      Pattern.compile(
          "ProfileCredentialsProvider\\(profileName=.*?\\]\\)\\): (.*?), ContainerCredentialsProvider\\(\\)?: ",
          Pattern.DOTALL);
  private static final Pattern WEB_IDENTITY =
      Pattern.compile(
          "WebIdentityTokenCredentialsProvider\\(\\): (?!Either the environment)(.*?), ProfileCred");
  private static final Pattern CONTAINER =
      Pattern.compile(
          "ContainerCredentialsProvider\\(\\): (?!Cannot fetch credentials from container - neither)"
              + "(.*?), InstanceProfileCred");

  /** What the SDK reports of a profile without credentials, followed by all profiles. */
  private static final Pattern EMPTY_PROFILE =
      Pattern.compile("Profile file contained no credentials for profile '([^']*)'.*");

  private static final Pattern NO_FILE = Pattern.compile(".*NoSuchFileException: (.*)");

  private MissingCredentials() {}

  /** Returns the reason and a remedy for the message of the SDK. */
  static String explain(String message) {
    if (!message.startsWith("Unable to load credentials")) {
      return message + "; " + LOG_IN;
    }
    return first(WEB_IDENTITY, message)
        .map(reason -> reason + "; check AWS_WEB_IDENTITY_TOKEN_FILE and AWS_ROLE_ARN")
        .or(() -> first(PROFILE, message).flatMap(MissingCredentials::ofProfile))
        .or(
            () ->
                first(CONTAINER, message)
                    .map(reason -> reason + "; check AWS_CONTAINER_CREDENTIALS_FULL_URI"))
        .orElse("none found; " + LOG_IN);
  }

  private static Optional<String> first(Pattern pattern, String message) {
    Matcher matcher = pattern.matcher(message);
    return matcher.find() ? Optional.of(matcher.group(1)) : Optional.empty();
  }

  /** Explains the failure of the selected profile; empty if no profile is selected. */
  private static Optional<String> ofProfile(String reason) {
    String profile = ProfileFileSystemSetting.AWS_PROFILE.getStringValueOrThrow();
    Matcher empty = EMPTY_PROFILE.matcher(reason);
    if (empty.matches()) {
      return profile.equals("default")
          ? Optional.empty()
          : Optional.of(
              "profile '"
                  + profile
                  + "' has no credentials, or does not exist; correct AWS_PROFILE"
                  + " or ~/.aws/config");
    }
    return Optional.of("profile '" + profile + "': " + withRemedy(profile, reason));
  }

  private static String withRemedy(String profile, String reason) {
    Matcher noFile = NO_FILE.matcher(reason);
    boolean isMissing = noFile.matches();
    if (reason.contains("/sso/cache/") || reason.toLowerCase(Locale.ROOT).contains("sso")) {
      return (isMissing ? "no single sign-on session is stored" : reason)
          + "; log in with 'aws sso login --profile "
          + profile
          + "'";
    }
    if (reason.contains("login_session") || reason.contains("re-authenticate")) {
      return reason + " Log in with 'aws login --profile " + profile + "'";
    }
    if (reason.contains("process-based")) {
      return "its credential_process failed; run that command in a shell to see why";
    }
    return (isMissing ? noFile.group(1) + " does not exist" : shortened(reason))
        + "; correct ~/.aws/config";
  }

  /** Returns the reason without the SDK's list of profiles and sources. */
  private static String shortened(String reason) {
    int list = reason.indexOf("AwsCredentialsProviderChain(");
    return list < 0 ? reason : "its credential_source has no credentials";
  }
}
