/** Tests of complete runs on Ray clusters of the user. */
@NullMarked
package io.elastune.cli.ray;

import org.jspecify.annotations.NullMarked;
