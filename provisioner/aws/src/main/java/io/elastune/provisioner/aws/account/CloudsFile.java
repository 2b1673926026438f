package io.elastune.provisioner.aws.account;

import io.elastune.core.files.Parsed;
import io.elastune.core.files.Reader;
import io.elastune.core.files.schema.Field;
import io.elastune.core.files.schema.Maps;
import io.elastune.core.files.schema.Section;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** The part of {@code clouds.yaml} that is about AWS: settings by region. */
public final class CloudsFile {
  private static final Pattern REGION = Pattern.compile("[a-z]{2}(-[a-z]+)+-[0-9]+");

  private static final Field<Map<String, RegionSettings>, Map<String, RegionSettings>> AWS =
      Field.required(
          "aws",
          Maps.ofSome(REGION, "a region such as us-east-1", RegionSection.SECTION),
          regions -> regions,
          "Regions, and how instances are launched in each.",
          "");

  /** Other clouds' parts are theirs to read. */
  private static final Section<Map<String, RegionSettings>> SECTION =
      Section.<Map<String, RegionSettings>>of(
              "", "How the accounts are set up.", List.of(AWS), values -> values.get(AWS))
          .open();

  private CloudsFile() {}

  /**
   * The settings by region, in the order of the file, or everything that is wrong with it.
   *
   * @param fileName for messages
   */
  public static Parsed<Map<String, RegionSettings>> parse(String fileName, String text) {
    return Reader.parse(fileName, text, SECTION);
  }
}
