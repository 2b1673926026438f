/**
 * Codecs that describe file formats: one definition for reading, writing, documentation and JSON
 * Schema.
 */
@NullMarked
package io.elastune.core.config.codec;

import org.jspecify.annotations.NullMarked;
