/**
 * Checks of the release build on what a release contains: see "Supply chain" in docs/install.md.
 */
@NullMarked
package io.elastune.cli.supply;

import org.jspecify.annotations.NullMarked;
