/** Tests of the scripts with which developers build and test Elastune. */
@NullMarked
package io.elastune.cli.build;

import org.jspecify.annotations.NullMarked;
