/** The JSON documents of the commands. Their keys are a public contract. */
@NullMarked
package io.elastune.cli.json;

import org.jspecify.annotations.NullMarked;
