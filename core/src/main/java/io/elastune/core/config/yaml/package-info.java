/** YAML and JSON files as trees of values with line numbers, and writers for both formats. */
@NullMarked
package io.elastune.core.config.yaml;

import org.jspecify.annotations.NullMarked;
